-- Texts are compared as bytes, as SQLite compares them, whatever language the database was made for.
CREATE TABLE agentx.sessions (
  id text COLLATE "C" PRIMARY KEY,
  summary text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  last_activity text COLLATE "C" NOT NULL,
  cwd text COLLATE "C",
  state text COLLATE "C" NOT NULL DEFAULT 'created',
  model text COLLATE "C",
  usage text COLLATE "C",
  owner text COLLATE "C",
  heartbeat timestamp(3) with time zone,
  position bigint GENERATED ALWAYS AS IDENTITY
);

CREATE INDEX sessions_by_activity ON agentx.sessions (last_activity DESC, position DESC);
CREATE INDEX sessions_in_turn ON agentx.sessions (owner) WHERE state = 'active';

CREATE TABLE agentx.messages (
  id text COLLATE "C" PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL REFERENCES agentx.sessions (id) ON DELETE CASCADE,
  type text COLLATE "C" NOT NULL CHECK (type IN ('user','agent','tool','system')),
  content text COLLATE "C" NOT NULL,
  timestamp text COLLATE "C" NOT NULL,
  is_tool_use boolean,
  tool_name text COLLATE "C",
  tool_input text COLLATE "C",
  tool_id text COLLATE "C",
  tool_result text COLLATE "C",
  seq bigint NOT NULL,
  turn bigint NOT NULL,
  metadata text COLLATE "C",
  UNIQUE (session_id, seq)
);
