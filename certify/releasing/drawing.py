"""Draw what is planned, exactly, and round it to the grid; the only place where bits are drawn."""

from __future__ import annotations

from fractions import Fraction

from ...reference.sampling import operating_system, published_number, published_vector, seeded
from ...reference.sampling.limits import require_alpha, require_scale
from ..mechanisms.plan import Plan, SimplexPlan
from .written import Drawing, Rows


def require_drawable(plan: Plan) -> None:
    """Raise DomainError, before any bit is drawn, for a law that is not drawn from."""
    if isinstance(plan, SimplexPlan):
        for row in plan.rows:
            require_alpha(row.alpha)
    else:
        require_scale(plan.scale)


def drawn(plan: Plan, drawing: Drawing) -> Rows:
    """Return the values of each row; rows, and noisy numbers, are drawn independently."""
    source = operating_system if drawing.seed is None else seeded(drawing.seed)
    if isinstance(plan, SimplexPlan):
        return [published_vector(row.alpha, drawing.grid_bits, source) for row in plan.rows]
    noisy: list[Fraction] = [
        published_number(centre, plan.scale, drawing.grid_bits, source) for centre in plan.centres
    ]
    return [noisy]
