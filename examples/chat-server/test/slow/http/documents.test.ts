import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOCUMENT_KINDS } from '../../../src/documents/document-kinds.js';
import { docx } from '../../support/documents.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, startChat } from '../../support/start-chat.js';

describe('a document that is attached', () => {
  let model: ScriptedModel;
  let chat: ChatProcess;
  beforeAll(async () => {
    model = await startScriptedModel();
    chat = await startChat({ baseURL: model.baseURL });
  });
  afterAll(() => model.close());

  const message = (session: string, bytes: Buffer, more = {}) => {
    const { mediaType } = DOCUMENT_KINDS.docx;
    const url = `data:${mediaType};base64,${bytes.toString('base64')}`;
    return chat.message(session, [{ type: 'file', mediaType, filename: 'notes.docx', url }] as never, more);
  };

  it('reaches the model as its text, also with a single question', async () => {
    await chat.post(message('document', docx('Ducks float.')));
    expect(model.requests.at(-1)?.text).toMatch(/\[file notes\.docx\]\\nDucks float\./);
    await chat.post(message('single', docx('Geese float.'), { intent: 'utility' }));
    expect(model.requests.at(-1)?.text).toMatch(/\[file notes\.docx\]\\nGeese float\./);
  });

  it('is refused if it is broken, before anything is stored', async () => {
    const refused = await chat.fetch('POST', '/api/chat', message('broken', docx('Ducks').subarray(0, 200)));
    expect(refused.status).toBe(422);
    expect(await refused.json()).toEqual({
      error: {
        code: 'unreadable_file',
        message: 'notes.docx is broken: it cannot be unpacked. Save it again, or send another copy.',
      },
    });
    expect((await chat.fetch('GET', '/api/sessions/broken')).status).toBe(404);
  });
});
