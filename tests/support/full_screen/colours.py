"""Colours at each depth, and their distance and contrast."""

DEPTHS = (1, 4, 8, 24)
"""Bits of a colour in all terminals."""

KINDS = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Matrices from true to perceived linear red, green and blue (Machado, Oliveira and Fernandes 2009, severity 1)."""


def linear(colour: str) -> list[float]:
    """Return linear red, green and blue of #rrggbb."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, 0 to 1."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio as WCAG defines it, 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def seen(colour: str, kind: str) -> tuple[float, float, float]:
    """Return L, a and b of a colour as perceived with some kind of colour vision."""
    red, green, blue = (
        min(max(sum(factor * part for factor, part in zip(row, linear(colour), strict=True)), 0), 1)
        for row in KINDS[kind]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, kind: str) -> float:
    """Return the perceived distance of two colours; 2.3 is just noticeable."""
    parts = zip(seen(one, kind), seen(other, kind), strict=True)
    return float(sum((a - b) ** 2 for a, b in parts) ** 0.5)
