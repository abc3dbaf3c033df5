import { useCallback, useEffect, useMemo, useState } from 'react';
import type { SwitchedOff } from '../../src/types.js';
import { api, sentenceOf } from './api.js';
import {
  changeInOrder,
  type ChatPlace,
  type ChatSettings,
  type GrantItem,
  readGrants,
  readSettings,
  removeGrant,
  saveSettings,
  switched,
  type ToolItem,
} from './settings.js';

export interface Settings {
  /** Absent until the server has told them. */
  readonly chat: ChatSettings | undefined;
  readonly tools: readonly ToolItem[] | undefined;
  readonly grants: readonly GrantItem[] | undefined;
  readonly problem: string | undefined;
  readonly listTools: () => void;
  readonly saveInstructions: (text: string) => Promise<boolean>;
  readonly switchTool: (tool: SwitchedOff, isOn: boolean) => void;
  readonly removeGrant: (grant: GrantItem) => void;
}

/** What is set in a chat, as the server has it, and how it is changed. */
export function useSettings({ sessionId, isNew }: ChatPlace, onChanged: () => void): Settings {
  const place = useMemo(() => ({ sessionId, isNew }), [sessionId, isNew]);
  const [chat, setChat] = useState<ChatSettings>();
  const [tools, setTools] = useState<readonly ToolItem[]>();
  const [grants, setGrants] = useState<readonly GrantItem[]>();
  const [problem, setProblem] = useState<string>();

  const tell = useCallback((error: unknown) => setProblem(sentenceOf(error)), []);
  const listTools = useCallback(() => {
    // MCP servers may take their time.
    void api<readonly ToolItem[]>('GET', '/api/tools').then(setTools, tell);
  }, [tell]);
  useEffect(() => {
    void readSettings(place).then(setChat, tell);
    void readGrants(place).then(setGrants, tell);
    listTools();
  }, [place, tell, listTools]);

  const change = useCallback(
    (make: () => Promise<void>): Promise<boolean> => {
      const made = changeInOrder(place.sessionId, async () => {
        try {
          setProblem(undefined);
          await make();
          onChanged();
          return true;
        } catch (error) {
          tell(error);
          return false;
        }
      });
      void made.then((isMade) => (isMade ? undefined : readSettings(place).then(setChat, tell)));
      return made;
    },
    [onChanged, place, tell],
  );
  const saveInstructions = useCallback(
    (instructions: string) => change(async () => setChat(await saveSettings(place, { instructions }))),
    [change, place],
  );
  const switchTool = useCallback(
    (tool: SwitchedOff, isOn: boolean) => {
      // Shown at once; what the server has comes behind it, also if it refuses.
      setChat((shown) => shown && { ...shown, off: switched(shown.off, tool, isOn) });
      void change(async () => {
        // Another tab may have switched others since.
        const { off } = await readSettings(place);
        setChat(await saveSettings(place, { off: switched(off, tool, isOn) }));
      });
    },
    [change, place],
  );
  const takeBack = useCallback(
    (grant: GrantItem) => {
      void change(async () => {
        await removeGrant(place, grant);
        setGrants(await readGrants(place));
      });
    },
    [change, place],
  );
  return { chat, tools, grants, problem, listTools, saveInstructions, switchTool, removeGrant: takeBack };
}
