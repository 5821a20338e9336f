"""`vinci admin`."""

from . import matches as matches
from . import server as server
from .group import admin as admin
