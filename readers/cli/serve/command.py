"""`serve`: answer OpenAI's chat completions with readings, until Ctrl+C. Not here: the server itself (`server.py`)."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from contextlib import suppress

from readers import READERS, offered
from readers.cli import settings
from readers.cli.output import DONE, read_text
from readers.cli.profiles import caps
from readers.cli.serve import shapes
from readers.cli.serve.answer import Terms
from readers.cli.settings import sampling
from readers.engine.errors import BadOptions
from readers.engine.models import catalogue
from readers.engine.prompts.options import read_options
from readers.engine.run.jobs import configured_at_once
from readers.engine.store import Store

KEY_VARIABLE = "PALIMPSEST_SERVE_KEY"
USUAL_PORT = 8765
SHORTEST_KEY = 8


def serve(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl+C."""
    from readers.cli.serve.server import Server, Service  # other commands do without a web server

    terms = terms_of(arguments)
    given = arguments.key or os.environ.get(KEY_VARIABLE)
    if given is not None and (len(given) < SHORTEST_KEY or not given.isascii() or not given.isprintable() or " " in given):
        raise BadOptions(
            f"the key needs {SHORTEST_KEY} or more letters, figures and signs, without spaces; leave it out to get one"
        )
    key = given or secrets.token_urlsafe(24)
    Store().close()  # a database that cannot be used is refused before anybody asks
    at_once = arguments.at_once or configured_at_once()
    try:
        server = Server(Service(terms, key, at_once), arguments.port)
    except OSError as error:
        raise BadOptions(f"port {arguments.port} cannot be used: {error.strerror}; name another with --port") from None
    print(f"Base URL: {server.base_url}")
    print(f"Key:      {'the one that was given' if given else key}")
    print(f"Models:   {', '.join(shapes.model_ids(list(terms.readers), terms.models))}", flush=True)
    with suppress(KeyboardInterrupt):
        server.run()
    print("\nstopped; `python -m readers runs` lists the readings, `resume` resumes one", file=sys.stderr)
    return DONE


def terms_of(arguments: argparse.Namespace) -> Terms:
    """How the readings of this server are read. Raises BadOptions and NotFound for errors in its command line."""
    readers = list(dict.fromkeys([offered(one) for one in arguments.reader] or READERS))
    auto, named = settings.auto_readers(readers, arguments.preset)
    presets = settings.presets(readers, named)
    options = settings.options(presets, arguments.settings)
    for reader in readers:
        read_options(reader.Options, options[reader.id])
    models = tuple(dict.fromkeys(arguments.model)) or (catalogue.default_model(),)
    for model in models:
        catalogue.open_model(model)
    return Terms(
        {reader.id: reader for reader in readers},
        models,
        options,
        settings.prompt_sets(readers, arguments.prompts),
        {reader.id: sampling(presets[reader.id], arguments) for reader in readers},
        auto=auto,
        api_base=arguments.api_base,
        window=arguments.window,
        reply_tokens=arguments.reply_tokens,
        caps=caps(arguments),
        price=arguments.price,
        profile=arguments.profile,
        reuse=not arguments.no_cache,
        template=read_text(arguments.template) if arguments.template else None,
        timeout=arguments.timeout,
        concurrency=arguments.concurrency,
    )
