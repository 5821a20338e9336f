"""Commands of `vinci admin` for the server itself."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from vinci.v1 import admin_pb2 as pb

from ...connection.connect import pages
from ...exceptions import Failed, Misused
from ...text.i18n import _, decimal, plural
from ..base import flag, option
from ..options import json_option
from .group import STATUS_TEXTS, AdminTarget, admin, ago, at_server, date, print_json, print_row

POLL_SECONDS: Final = 1.0


@admin.command(epilog="vinci admin status\nvinci admin status --server 192.168.1.5 --token admin.3vJ0")
@at_server
@json_option
def status(at: AdminTarget, as_json: bool) -> None:
    """Show the state of the server: matches, people, bots, database."""
    answer: pb.GetServerStatusResponse = at.call(pb.GetServerStatusRequest())
    if as_json:
        print_json(answer)
        return
    counts = [f"{answer.matches[name]} {_(text)}" for name, text in STATUS_TEXTS.items() if answer.matches[name]]
    started = _("{version}, started {date} ({ago} ago)")
    print_row(
        _("version"),
        started.format(version=answer.version, date=date(answer.start_time), ago=ago(answer.start_time)),
    )
    print_row(
        _("matches"), _("{counts}; {awake} awake").format(counts=", ".join(counts) or _("none"), awake=answer.awake)
    )
    there = (
        plural("{n} seat", "{n} seats", answer.connected_seats),
        plural("{n} watcher", "{n} watchers", answer.watchers),
        plural("{n} bot", "{n} bots", answer.bots),
    )
    print_row(_("there"), ", ".join(there))
    print_row(_("database"), f"{answer.database} ({_size(answer.database_bytes)})")
    if answer.draining:
        click.echo(_("It drains: it takes nobody new."))


@admin.command("bot-key", epilog="vinci admin bot-key hermit\nvinci admin bot-key hermit --remove\nvinci admin bot-key")
@at_server
@click.argument("name", default="")
@flag("--remove", help="Remove the key: anybody may use the name again.")
@json_option
def bot_key(at: AdminTarget, name: str, remove: bool, as_json: bool) -> None:
    """Protect the name of a bot by a key, or list names with a key.

    The new key is printed once. A bot sends it as VINCI_BOT_KEY or --key; an earlier key of the name no longer works.
    """
    if remove and not name:
        raise Misused(_("--remove needs the name of a bot"))
    if not name:
        keys = at.call(pb.ListBotKeysRequest()).keys
        for key in keys:
            if as_json:
                print_json(key)
            else:
                print_row(key.name, _("key of {date}").format(date=date(key.create_time)))
        if not keys and not as_json:
            click.echo(_("No name of a bot has a key."))
        return
    answer = at.call(pb.RemoveBotKeyRequest(name=name)) if remove else at.call(pb.MakeBotKeyRequest(name=name), tries=1)
    if as_json:
        print_json(answer)
    elif remove:
        click.echo(_("Anybody may use the name {name} again.").format(name=name))
    else:
        click.echo(_("The key of {name}, for VINCI_BOT_KEY or --key; it is shown only now:").format(name=name))
        click.echo(answer.key)


@admin.command(
    epilog="""
    vinci admin persons
    vinci admin persons Ann --rename Anna
    vinci admin persons "Ann 2" --merge-into Ann
    vinci admin persons Ann --forget
    """
)
@at_server
@click.argument("name", default="")
@option("--rename NAME", "new_name", help="Give the person another name.")
@option("--merge-into NAME", "into", help="Let games and devices be those of this person.")
@flag("--forget", help='Put "somebody" in place of the name everywhere; the games stay.')
@json_option
def persons(at: AdminTarget, name: str, new_name: str, into: str, forget: bool, as_json: bool) -> None:
    """List the persons whose names belong to their keys, or rename, merge or forget one."""
    changes = {"--rename": new_name, "--merge-into": into, "--forget": forget}
    chosen = [option for option, value in changes.items() if value]
    if len(chosen) > 1:
        raise Misused(_("one change at a time: {options}").format(options=", ".join(chosen)))
    if chosen and not name:
        raise Misused(_("{option} needs the name of a person").format(option=chosen[0]))
    if new_name:
        at.call(pb.RenamePersonRequest(name=name, new_name=new_name), tries=1)
        click.echo(_("{name} is now {new}.").format(name=name, new=new_name))
    elif into:
        at.call(pb.MergePersonsRequest(name=name, into=into), seconds=None)
        click.echo(_("Games and devices of {name} are now those of {new}.").format(name=name, new=into))
    elif forget:
        at.call(pb.RemovePersonRequest(name=name), seconds=None)
        click.echo(_("{name} is forgotten.").format(name=name))
    else:
        _show_persons(asyncio.run(_persons(at, name)), as_json=as_json)


async def _persons(at: AdminTarget, name: str) -> list[pb.KnownPerson]:
    async with at.session() as call:
        return [one async for page in pages(call, pb.ListPersonsRequest(name=name)) for one in page.persons]


def _show_persons(found: Sequence[pb.KnownPerson], *, as_json: bool) -> None:
    width = max((len(person.name) for person in found), default=0)
    for person in found:
        if as_json:
            print_json(person)
            continue
        parts = [
            plural("{n} match", "{n} matches", person.matches),
            plural("{n} device", "{n} devices", person.devices),
            _("seen {ago} ago").format(ago=ago(person.seen_time)),
        ]
        click.echo(f"{person.name:<{width}}  {', '.join(parts)}{_(', hidden') if person.hidden else ''}")
    if not found and not as_json:
        click.echo(_("There is no such person."))


@admin.command(epilog="vinci admin drain --wait\nvinci admin drain --off")
@at_server
@flag("--off", help="Take matches, players and bots again.")
@flag("--wait", help="Wait until no match is active: no bot is to act, and nobody has acted lately.")
@option("--quiet", least=0, default=60, help="Seconds after an action during which a match counts as active.")
def drain(at: AdminTarget, off: bool, wait: bool, quiet: int) -> None:
    """Refuse new matches, players, starts and bots, before a restart.

    Games that run go on.
    """
    try:
        asyncio.run(_drain(at, off=off, wait=wait, quiet=quiet))
    except KeyboardInterrupt:
        text = _("no longer waiting; the server still takes nobody new, until it restarts or drain --off")
        raise Failed(text) from None


async def _drain(at: AdminTarget, *, off: bool, wait: bool, quiet: int) -> None:
    async with at.session() as call:
        await call(pb.DrainServerRequest(draining=not off))
        again, no_more = _("The server takes matches, players and bots again."), _("The server takes nobody new.")
        click.echo(again if off else no_more)
        before = -1
        while wait and before:
            answer = await call(pb.GetServerStatusRequest(quiet_seconds=quiet))
            if answer.moving != before:
                before = answer.moving
                click.echo(_("Active matches: {number}.").format(number=before))
            if before:
                await asyncio.sleep(POLL_SECONDS)


@admin.command(epilog="vinci admin backup /var/backups/vinci.db")
@at_server
@click.argument("file", type=click.Path(path_type=Path))
def backup(at: AdminTarget, file: Path) -> None:
    """Copy the database to a new file while play goes on.

    The server writes it, so the file is one of its machine, in a folder that the server may write to.
    """
    answer = at.call(pb.BackupDatabaseRequest(path=str(file.absolute())), tries=1, seconds=None)
    click.echo(f"{file.absolute()} ({_size(answer.bytes)})")


def _size(number: int) -> str:
    return _("{number} MB").format(number=decimal(f"{number / 1e6:.1f}"))
