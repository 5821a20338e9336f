"""Commands of `vinci`, which import what they run only when they run it."""
