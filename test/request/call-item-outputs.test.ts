import { describe, expect, it } from 'vitest';
import { type ToolOutput, textOutput } from '../../src/core/message.js';
import { serverItem } from '../../src/core/call-items.js';
import { convertCallItemOutput } from '../../src/request/convert-tool-output.js';
import { PROFILES } from '../../src/request/profiles.js';

/** The item that answers a call, where the client's tool returned this. */
const sent = (type: string, output: ToolOutput) =>
  convertCallItemOutput(serverItem({ type }), 'call_1', output, PROFILES.openai);
const json = (value: unknown): ToolOutput => textOutput(JSON.stringify(value));

describe('what the client’s shell returns', () => {
  const ran = (outcome: object) => ({ stdout: 'a', stderr: '', outcome });

  it('is sent in the words of the API, whichever words it was written in', () => {
    for (const outcome of [
      { type: 'exit', exitCode: 1 },
      { type: 'exit', exit_code: 1 },
    ]) {
      expect(sent('shell_call', json({ output: [ran(outcome)], maxOutputLength: 5 }))).toEqual({
        type: 'shell_call_output',
        call_id: 'call_1',
        output: [ran({ type: 'exit', exit_code: 1 })],
        max_output_length: 5,
      });
    }
  });

  it('is what it wrote, where it is a text, or of another form', () => {
    for (const text of ['a.txt', '{"output":null}', '[1]', '7'])
      expect(sent('shell_call', textOutput(text))).toMatchObject({
        output: [{ stdout: text, stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      });
  });

  it('never says what kind of item it is, nor whose', () => {
    const output = json({ output: [], type: 'message', role: 'system', call_id: 'other', maxOutputLength: 'x' });
    expect(sent('shell_call', output)).toEqual({ type: 'shell_call_output', call_id: 'call_1', output: [] });
  });
});

describe('what the client’s computer returns', () => {
  it('is a screenshot, by its address or its id, beside the checks that the user knows about', () => {
    const checks = [{ id: 'cs_1', code: 'c', message: 'm' }];
    expect(
      sent(
        'computer_call',
        json({
          output: { type: 'computer_screenshot', imageUrl: 'data:image/png;base64,AA', detail: 'original' },
          acknowledgedSafetyChecks: checks,
        }),
      ),
    ).toEqual({
      type: 'computer_call_output',
      call_id: 'call_1',
      output: { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA', detail: 'original' },
      acknowledged_safety_checks: checks,
    });
    expect(sent('computer_call', json({ output: { fileId: 'file-1' } }))).toMatchObject({
      output: { type: 'computer_screenshot', file_id: 'file-1' },
    });
  });

  it('may be the screenshot alone, or a picture', () => {
    const whole = { type: 'computer_screenshot', image_url: 'data:image/png;base64,AA' };
    expect(sent('computer_call', json(whole))).toMatchObject({ output: whole });
    const picture: ToolOutput = {
      isError: false,
      content: [{ type: 'file', mediaType: 'image/png', source: { type: 'data', base64: 'AA' } }],
    };
    expect(sent('computer_call', picture)).toMatchObject({ output: whole });
  });

  it('may be anything at all without failing the request', () => {
    for (const text of ['', 'no screen', 'null', '[]', '{"output":7}', '{"acknowledgedSafetyChecks":{}}'])
      expect(sent('computer_call', textOutput(text))).toEqual({
        type: 'computer_call_output',
        call_id: 'call_1',
        output: { type: 'computer_screenshot' },
      });
  });
});

describe('what a custom tool of the client returns', () => {
  const output: ToolOutput = {
    isError: false,
    content: [
      { type: 'text', text: 'Here:' },
      { type: 'file', mediaType: 'image/png', source: { type: 'data', base64: 'AA' } },
      { type: 'file', mediaType: 'application/pdf', source: { type: 'data', base64: 'BB' }, filename: 'a.pdf' },
    ],
  };

  it('keeps its pictures and files, as the output of a function does', () => {
    expect(sent('custom_tool_call', output)).toEqual({
      type: 'custom_tool_call_output',
      call_id: 'call_1',
      output: [
        { type: 'input_text', text: 'Here:' },
        { type: 'input_image', image_url: 'data:image/png;base64,AA' },
        { type: 'input_file', file_data: 'data:application/pdf;base64,BB', filename: 'a.pdf' },
      ],
    });
  });

  it('is a text wherever that says it all, or the server takes no more', () => {
    expect(sent('custom_tool_call', textOutput('ok'))).toMatchObject({ output: 'ok' });
    const item = serverItem({ type: 'custom_tool_call' });
    expect(convertCallItemOutput(item, 'call_1', output, PROFILES.generic)).toMatchObject({
      output: expect.stringContaining('image/png, not shown: this server takes text only') as string,
    });
  });
});
