CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  summary TEXT,
  created_at TEXT NOT NULL,
  last_activity TEXT NOT NULL,
  cwd TEXT,
  state TEXT NOT NULL DEFAULT 'created',
  model TEXT,
  usage TEXT,
  owner TEXT,
  heartbeat TEXT
);

CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('user','agent','tool','system')),
  content TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  is_tool_use INTEGER,
  tool_name TEXT,
  tool_input TEXT,
  tool_id TEXT,
  tool_result TEXT,
  seq INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  metadata TEXT,
  UNIQUE (session_id, seq)
);
