"""Test vectors: inputs with proved enclosures, for implementations in any language.

`VECTORS.md` says what the files hold and how a project of another language checks itself with them.
"""
