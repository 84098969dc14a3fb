"""The tables of the database, as the numbered migrations that make them. Not here: how they are applied (`migrations.py`)."""

from __future__ import annotations

MIGRATIONS: dict[str, tuple[str, ...]] = {
    "m001_first": (
        """CREATE TABLE documents (
            id TEXT PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL, chars INTEGER, tokens INTEGER, created TEXT)""",
        "CREATE TABLE prompts (hash TEXT PRIMARY KEY, id TEXT, task TEXT, wording TEXT)",
        """CREATE TABLE runs (
            id TEXT PRIMARY KEY, document TEXT NOT NULL REFERENCES documents(id), reader TEXT NOT NULL, question TEXT,
            spec TEXT NOT NULL, status TEXT NOT NULL, outcome TEXT, answer TEXT, evidence TEXT, error TEXT,
            parent TEXT, fork_at INTEGER, edit TEXT, name TEXT, note TEXT,
            worker TEXT, cancel INTEGER, created TEXT, started TEXT, ended TEXT, seconds REAL)""",
        """CREATE TABLE calls (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, seq INTEGER NOT NULL, attempt INTEGER NOT NULL,
            asked TEXT NOT NULL, identity TEXT NOT NULL, prompt TEXT NOT NULL REFERENCES prompts(hash), task TEXT NOT NULL,
            shared INTEGER NOT NULL, parts TEXT NOT NULL, note TEXT NOT NULL, sample INTEGER NOT NULL, origin TEXT NOT NULL,
            model TEXT NOT NULL, reply TEXT, parsed TEXT, tokens_in INTEGER, tokens_out INTEGER, cost_usd REAL, ms INTEGER,
            error TEXT, messages TEXT, PRIMARY KEY (run, seq, attempt))""",
        "CREATE INDEX calls_shared ON calls(identity) WHERE shared AND reply IS NOT NULL AND origin IN ('live', 'cached')",
        """CREATE TABLE events (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, n INTEGER NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (run, n)) WITHOUT ROWID""",
        "CREATE INDEX idx_runs_created ON runs (created)",
        "CREATE INDEX idx_runs_document ON runs (document)",
    ),
    "m002_visits": (
        """CREATE TABLE visits (
            item TEXT NOT NULL, visitor TEXT NOT NULL, worker TEXT NOT NULL, PRIMARY KEY (item, visitor)) WITHOUT ROWID""",
    ),
    "m003_prompt_sets": (
        """CREATE TABLE prompt_sets (
            reader TEXT NOT NULL, name TEXT NOT NULL, templates TEXT NOT NULL, created TEXT NOT NULL,
            PRIMARY KEY (reader, name)) WITHOUT ROWID""",
    ),
    # Forks in families, samples of one experiment, runs imported from run files (`taken_in`: their replies are not verified, so
    # they are not shared), tags, and calls that wait for a person's reply.
    "m004_what_if": (
        "ALTER TABLE runs ADD COLUMN experiment TEXT",
        "ALTER TABLE runs ADD COLUMN taken_in INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX idx_runs_parent ON runs (parent)",
        """CREATE TABLE tags (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, tag TEXT NOT NULL, PRIMARY KEY (run, tag)) WITHOUT ROWID""",
        """CREATE TABLE waiting (
            run TEXT PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE, seq INTEGER NOT NULL, attempt INTEGER NOT NULL,
            call TEXT NOT NULL, reply TEXT, ms INTEGER) WITHOUT ROWID""",
    ),
    # Question sets and batches; projects of runs that people label, their codebooks, labels with history, and decisions. A run
    # that belongs to a project cannot be deleted: its labels would mean nothing without it.
    "m005_annotate": (
        """CREATE TABLE question_sets (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, note TEXT, created TEXT NOT NULL) WITHOUT ROWID""",
        """CREATE TABLE questions (
            question_set TEXT NOT NULL REFERENCES question_sets(id) ON DELETE CASCADE, number INTEGER NOT NULL,
            document TEXT NOT NULL, key TEXT NOT NULL, question TEXT NOT NULL, known TEXT NOT NULL,
            PRIMARY KEY (question_set, number)) WITHOUT ROWID""",
        """CREATE TABLE batches (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, question_set TEXT NOT NULL, created TEXT NOT NULL, plan TEXT NOT NULL,
            cancelled INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
        """CREATE TABLE batch_runs (
            batch TEXT NOT NULL REFERENCES batches(id) ON DELETE CASCADE, number INTEGER NOT NULL, variant INTEGER NOT NULL,
            run TEXT REFERENCES runs(id) ON DELETE SET NULL, error TEXT, PRIMARY KEY (batch, number, variant)) WITHOUT ROWID""",
        "CREATE INDEX batch_runs_run ON batch_runs (run)",
        """CREATE TABLE projects (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, created TEXT NOT NULL, settings TEXT NOT NULL) WITHOUT ROWID""",
        """CREATE TABLE project_runs (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, number INTEGER NOT NULL,
            run TEXT NOT NULL REFERENCES runs(id), PRIMARY KEY (project, number), UNIQUE (project, run)) WITHOUT ROWID""",
        "CREATE INDEX project_runs_run ON project_runs (run)",
        """CREATE TABLE annotators (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, name TEXT NOT NULL, joined TEXT NOT NULL,
            stage INTEGER NOT NULL, PRIMARY KEY (project, name)) WITHOUT ROWID""",
        """CREATE TABLE turns (
            project TEXT NOT NULL, run TEXT NOT NULL, annotator TEXT NOT NULL, stage INTEGER NOT NULL, standing TEXT NOT NULL,
            reason TEXT, opened TEXT NOT NULL, closed TEXT, ms INTEGER NOT NULL DEFAULT 0, again INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (project, run, annotator, stage),
            FOREIGN KEY (project, annotator) REFERENCES annotators(project, name) ON DELETE CASCADE) WITHOUT ROWID""",
        """CREATE TABLE labels (
            id TEXT PRIMARY KEY, project TEXT NOT NULL, run TEXT NOT NULL, annotator TEXT NOT NULL, kind TEXT NOT NULL,
            target TEXT NOT NULL, value TEXT NOT NULL, codebook INTEGER NOT NULL, revision INTEGER NOT NULL, at TEXT NOT NULL,
            removed INTEGER NOT NULL DEFAULT 0,
            FOREIGN KEY (project, annotator) REFERENCES annotators(project, name) ON DELETE CASCADE) WITHOUT ROWID""",
        "CREATE INDEX labels_run ON labels (project, run, annotator)",
        """CREATE TABLE label_history (
            label TEXT NOT NULL REFERENCES labels(id) ON DELETE CASCADE, revision INTEGER NOT NULL,
            refused INTEGER NOT NULL DEFAULT 0, value TEXT NOT NULL, codebook INTEGER NOT NULL, at TEXT NOT NULL,
            removed INTEGER NOT NULL, PRIMARY KEY (label, revision, refused)) WITHOUT ROWID""",
        """CREATE TABLE codebooks (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, version INTEGER NOT NULL, at TEXT NOT NULL,
            by TEXT NOT NULL, change TEXT NOT NULL, codes TEXT NOT NULL, PRIMARY KEY (project, version)) WITHOUT ROWID""",
        """CREATE TABLE decisions (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, run TEXT NOT NULL, target TEXT NOT NULL,
            revision INTEGER NOT NULL, value TEXT NOT NULL, reason TEXT NOT NULL, by TEXT NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (project, run, target, revision)) WITHOUT ROWID""",
    ),
    # What a model thought before a reply, and why it stopped; since when a run has been waiting for its oldest call.
    "m006_replies": (
        "ALTER TABLE calls ADD COLUMN thoughts TEXT",
        "ALTER TABLE calls ADD COLUMN finish TEXT",
        """CREATE TABLE waits (
            run TEXT PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE, seq INTEGER NOT NULL, since TEXT NOT NULL)
            WITHOUT ROWID""",
    ),
    # What visitors of a public demo began and spent.
    "m007_demo_usage": (
        """CREATE TABLE demo_usage (
            day TEXT NOT NULL, counter TEXT NOT NULL, readings INTEGER NOT NULL, calls INTEGER NOT NULL, usd REAL NOT NULL,
            PRIMARY KEY (day, counter)) WITHOUT ROWID""",
    ),
    # What each owner of an item calls it, writes about it, and when they added it: the same text of two visitors is one document.
    "m008_own_titles": (
        "ALTER TABLE visits ADD COLUMN title TEXT",
        "ALTER TABLE visits ADD COLUMN note TEXT",
        "ALTER TABLE visits ADD COLUMN added TEXT",
    ),
    # Where in a text its owner planted a sentence; the visitor is empty for the host.
    "m009_planted": (
        """CREATE TABLE planted (
            document TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE, visitor TEXT NOT NULL, start INTEGER NOT NULL,
            stop INTEGER NOT NULL, PRIMARY KEY (document, visitor)) WITHOUT ROWID""",
    ),
    # What became of the evidence in a run: derived from its record by one version of the rules, and computed again if missing.
    "m010_fates": (
        """CREATE TABLE fates (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, known TEXT NOT NULL, ended TEXT NOT NULL,
            version INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (run, known)) WITHOUT ROWID""",
    ),
    # Several readings of one question by one variant of a batch: its samples, from 0.
    "m011_samples": (
        """CREATE TABLE batch_samples (
            batch TEXT NOT NULL REFERENCES batches(id) ON DELETE CASCADE, number INTEGER NOT NULL, variant INTEGER NOT NULL,
            sample INTEGER NOT NULL, run TEXT REFERENCES runs(id) ON DELETE SET NULL, error TEXT,
            PRIMARY KEY (batch, number, variant, sample)) WITHOUT ROWID""",
        "INSERT INTO batch_samples SELECT batch, number, variant, 0, run, error FROM batch_runs",
        "DROP TABLE batch_runs",
        "ALTER TABLE batch_samples RENAME TO batch_runs",
        "CREATE INDEX batch_runs_run ON batch_runs (run)",
    ),
    # The board of a project: the group of each note that was moved on it, when a group was first named, and the changes that can
    # be undone.
    "m011_board": (
        """CREATE TABLE board_notes (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
            note TEXT NOT NULL REFERENCES labels(id) ON DELETE CASCADE, name TEXT NOT NULL, PRIMARY KEY (project, note))
            WITHOUT ROWID""",
        """CREATE TABLE board_groups (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, number INTEGER NOT NULL, name TEXT NOT NULL,
            PRIMARY KEY (project, number), UNIQUE (project, name)) WITHOUT ROWID""",
        """CREATE TABLE board_changes (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, number INTEGER NOT NULL, by TEXT NOT NULL,
            at TEXT NOT NULL, moved TEXT NOT NULL, PRIMARY KEY (project, number)) WITHOUT ROWID""",
    ),
    # The tokens of a reply and their log-probabilities, where a server was asked for them and gave them.
    "m012_sampled": ("ALTER TABLE calls ADD COLUMN sampled TEXT",),
    # Classes that watch a reading together: where each class is, its question, its rounds, its members, and the votes.
    "m013_classes": (
        """CREATE TABLE classes (
            id TEXT PRIMARY KEY, code TEXT NOT NULL UNIQUE, run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
            title TEXT NOT NULL, steps INTEGER NOT NULL, teacher TEXT NOT NULL, created TEXT NOT NULL, expires TEXT NOT NULL,
            ended TEXT, since TEXT NOT NULL, version INTEGER NOT NULL, state TEXT NOT NULL)""",
        "CREATE INDEX classes_run ON classes (run)",
        """CREATE TABLE class_questions (
            class TEXT NOT NULL REFERENCES classes(id) ON DELETE CASCADE, step INTEGER NOT NULL, asked TEXT NOT NULL,
            revealed TEXT, PRIMARY KEY (class, step)) WITHOUT ROWID""",
        """CREATE TABLE class_rounds (
            class TEXT NOT NULL REFERENCES classes(id) ON DELETE CASCADE, step INTEGER NOT NULL, round INTEGER NOT NULL,
            opened TEXT NOT NULL, closed TEXT, PRIMARY KEY (class, step, round)) WITHOUT ROWID""",
        """CREATE TABLE class_learners (
            class TEXT NOT NULL REFERENCES classes(id) ON DELETE CASCADE, learner TEXT NOT NULL, joined TEXT NOT NULL,
            PRIMARY KEY (class, learner)) WITHOUT ROWID""",
        """CREATE TABLE class_votes (
            class TEXT NOT NULL REFERENCES classes(id) ON DELETE CASCADE, step INTEGER NOT NULL, round INTEGER NOT NULL,
            learner TEXT NOT NULL, option INTEGER NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (class, step, round, learner)) WITHOUT ROWID""",
    ),
    # What a person marked at steps for those who watch: a note, a pause, a choice to predict.
    "m014_stops": (
        """CREATE TABLE stops (
            run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, at INTEGER NOT NULL, note TEXT NOT NULL,
            pauses INTEGER NOT NULL, predicts INTEGER NOT NULL, PRIMARY KEY (run, at)) WITHOUT ROWID""",
    ),
    # When a device of a class was last heard of.
    "m015_class_heard": ("ALTER TABLE class_learners ADD COLUMN heard TEXT",),
    # Runs imported without replaying them, because an earlier version of their reader made them.
    "m016_unchecked": ("ALTER TABLE runs ADD COLUMN unchecked INTEGER NOT NULL DEFAULT 0",),
    # The content id of a finished run, once it was asked for (`files/runs/content.py`).
    "m017_content": (
        "ALTER TABLE runs ADD COLUMN content TEXT",
        "CREATE INDEX runs_content ON runs (content) WHERE content IS NOT NULL",
    ),
    # Whose labels of which readings the lead of a project has seen: what they label there later is not blind.
    "m018_seen": (
        """CREATE TABLE labels_seen (
            project TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE, run TEXT NOT NULL, name TEXT NOT NULL,
            PRIMARY KEY (project, run, name)) WITHOUT ROWID""",
    ),
    # Why a server did not take a schema, at calls that asked in words instead.
    "m019_refused": ("ALTER TABLE calls ADD COLUMN refused TEXT",),
    # Models on their terms, by name; `chosen` is 1 for the one that a new session begins with.
    "m020_profiles": (
        """CREATE TABLE profiles (
            name TEXT PRIMARY KEY COLLATE NOCASE, terms TEXT NOT NULL, created TEXT NOT NULL,
            chosen INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    ),
    # Where the pages of a document begin, and what is printed on them: JSON, rows of [start, label]. NULL for one without pages.
    "m021_pages": ("ALTER TABLE documents ADD COLUMN pages TEXT",),
    # What a server had of a prompt from an earlier one, and how many calls were in flight together: what later readings take is
    # learnt from these.
    "m022_timing": (
        "ALTER TABLE calls ADD COLUMN tokens_cached INTEGER",
        "ALTER TABLE calls ADD COLUMN at_once REAL",
        "CREATE INDEX calls_model ON calls (model) WHERE origin = 'live' AND reply IS NOT NULL",
    ),
    # What was deleted within the last seconds, row by row as JSON; a row that was not deleted but `changed` is as it was before.
    "m023_deletions": (
        """CREATE TABLE deleted_rows (
            n INTEGER PRIMARY KEY, deletion TEXT NOT NULL, at TEXT NOT NULL, place TEXT NOT NULL, changed INTEGER NOT NULL,
            body TEXT NOT NULL)""",
        "CREATE INDEX deleted_rows_deletion ON deleted_rows (deletion)",
    ),
}
