"""Where people already work: simplexcert's exact losses in other libraries' own words.

- ``adapters.opendp``: measurements of OpenDP whose privacy maps are exact profiles;
- ``adapters.dp_accounting``: privacy-loss distributions and Renyi divergences for dp-accounting.

Each needs an extra of its own (``pip install 'simplexcert[opendp]'``, or ``[dp-accounting]``) and
imports its library only when it is called. What leaves for a library as a float has been rounded to
the safe side: a loss is never understated (``losses.float_at_least``).
"""
