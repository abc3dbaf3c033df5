import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** What every entry for a version of the AI SDK exports; only the provider's type has the version in its name. */
const EVERY_ENTRY = {
  values: [
    'ApiError',
    'ResponsesLoopError',
    'afterTool',
    'approveByAnnotations',
    'costBudget',
    'createKelivoResponsesProvider',
    'createResponsesProvider',
    'createSteering',
    'httpLog',
    'logEvents',
    'messagesSoFar',
    'observers',
    'openTelemetry',
    'showControls',
    'tokenBudget',
    'watchCache',
    'withStockFallback',
  ],
  types: [
    'ApiKeySetting',
    'ApprovalPolicy',
    'ApprovalRule',
    'Approve',
    'AskedRecord',
    'AuthFunction',
    'AuthRequest',
    'CallHead',
    'CallLoopSettings',
    'CompactOptions',
    'CompactedConversation',
    'CompactedMessage',
    'CompactedMessageV4',
    'EndpointInfo',
    'ErrorCode',
    'FailureRecord',
    'FallOver',
    'FallbackChoice',
    'HeaderSetting',
    'HttpLogEntry',
    'Journal',
    'JournalRecord',
    'JournalStep',
    'LimitOverrides',
    'Limits',
    'LocalExecuteOptions',
    'LocalTool',
    'LoopCallOptions',
    'Logger',
    'LoopSettings',
    'LoopState',
    'LoopToolInfo',
    'MarkRecord',
    'McpAiSdkClient',
    'McpAppCsp',
    'McpAppPermissions',
    'McpAppResource',
    'McpAppResourceRequest',
    'McpAppToolCall',
    'McpAppToolResult',
    'McpCallContext',
    'McpClientConfig',
    'McpClientLike',
    'McpElicitationAnswer',
    'McpElicitationRequest',
    'McpHeaders',
    'McpHttpConfig',
    'McpLiveClient',
    'McpMeta',
    'McpServerConfig',
    'McpServerEntry',
    'McpServers',
    'McpStdioConfig',
    'McpToolAnnotations',
    'McpToolClient',
    'McpToolDescription',
    'McpToolsChange',
    'MessageSoFar',
    'ModelId',
    'ModelOverrides',
    'ObjectFirstLogger',
    'Observer',
    'ObserverEvent',
    'OnElicitation',
    'OnToolsChanged',
    'OnUnknownTool',
    'OpenTelemetryOptions',
    'OutputStore',
    'PrepareRound',
    'PreparedRound',
    'Price',
    'Profile',
    'ProfileName',
    'ReachedLimit',
    'RedactToolOutput',
    'RequestChanges',
    'RequestDraft',
    'RequestPlace',
    'ResponsesProvider',
    'ResponsesCallOptions',
    'ResponsesProviderSettings',
    'RoundRecord',
    'RoundToPrepare',
    'SdkTool',
    'SdkTools',
    'SpanTracer',
    'Steering',
    'StockFallbackSettings',
    'StockModel',
    'StockProvider',
    'StopCondition',
    'ToolApproval',
    'ToolApprovalRequest',
    'ToolCallInfo',
    'ToolHead',
    'ToolOutput',
    'ToolRecord',
    'ToolStubs',
    'TransformRequest',
    'UseStock',
  ],
};

const entryFor = (version: number): typeof EVERY_ENTRY => ({
  values: EVERY_ENTRY.values,
  types: [...EVERY_ENTRY.types, `ResponsesProviderV${version}`].toSorted(),
});

/** What a user can import. A new name is a promise: it is added here on purpose, and to the README. */
const PUBLIC_NAMES = {
  'src/index.ts': entryFor(2),
  'src/v3.ts': entryFor(3),
  'src/v4.ts': entryFor(4),
  'src/node.ts': {
    values: ['fileOAuthProvider', 'recordEvents', 'untilSignedIn'],
    types: ['EventRecorder', 'FileOAuthOptions', 'FileOAuthProvider', 'RecordEventsOptions', 'UntilSignedInOptions'],
  },
  'src/question.ts': { values: ['questionOf', 'spellText'], types: ['AskedCall', 'ToolQuestion'] },
  'src/testing.ts': {
    values: [
      'FixtureError',
      'createGate',
      'createReplayServer',
      'createScriptedServer',
      'encodeEvent',
      'encodeEvents',
      'errorEvent',
      'errorReply',
      'everyByte',
      'fixtureSteps',
      'listFixtures',
      'mswHandlers',
      'plainParts',
      'randomCuts',
      'randomPlaces',
      'readFixture',
      'recordFetch',
      'replayEvents',
      'replayFetch',
      'responseBody',
      'responseEvents',
      'scriptedFetch',
      'splitAt',
      'toCr',
      'toCrlf',
      'whole',
      'withBom',
      'withComments',
      'withDone',
      'withoutEventLines',
      'writeFixture',
      'writeFixtureParts',
    ],
    types: [
      'AssertSameOptions',
      'BytesReply',
      'CallOutput',
      'DeliveryOptions',
      'Deltas',
      'DescribedReply',
      'EncodeOptions',
      'ErrorReplyOptions',
      'EventsReplay',
      'EventsReply',
      'Fixture',
      'FixtureMeta',
      'FixtureRound',
      'FixtureRoundMeta',
      'Gate',
      'HtmlReply',
      'JsonReply',
      'MswHandlersOptions',
      'MswHttp',
      'NoReply',
      'OtherOutput',
      'OutputDescription',
      'RandomCutOptions',
      'ReasoningOutput',
      'Rechunk',
      'RecordFetchOptions',
      'RecordedChunk',
      'RecordingFetch',
      'RecordingOptions',
      'RefusalOutput',
      'ReplayEventsOptions',
      'ReplayFetch',
      'ReplayFetchOptions',
      'ReplayOptions',
      'ReplayProvider',
      'ReplayServer',
      'ReplaySettings',
      'ReplayTool',
      'ReplayedCall',
      'ReplayedSide',
      'ResponseDescription',
      'RunDifference',
      'ScriptOptions',
      'ScriptRecord',
      'ScriptedAnswer',
      'ScriptedEvent',
      'ScriptedFetch',
      'ScriptedFetchOptions',
      'ScriptedReply',
      'ScriptedRequest',
      'ScriptedServer',
      'ScriptedServerOptions',
      'ScriptedStep',
      'StreamElement',
      'TextOutput',
    ],
  },
};

/** Stable: people branch on these. */
const ERROR_CODES = [
  'api-error',
  'closed',
  'connection-failed',
  'invalid-options',
  'invalid-prompt',
  'invalid-settings',
  'journal',
  'limit',
  'mcp-app',
  'missing-api-key',
  'not-a-responses-api',
  'sign-in-failed',
  'stream-reset',
  'stream-truncated',
  'timeout',
  'tool-source-unavailable',
];

const PUBLIC_PATHS = [
  '.',
  './ai5',
  './ai6',
  './ai7',
  './node',
  './package.json',
  './question',
  './testing',
  './v3',
  './v4',
];

function parse(path: string): ts.SourceFile {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  return ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
}

/** Entries are lists of names, their own and the common one, nothing else, so that reading them is enough. */
function exportsOf(path: string): { values: readonly string[]; types: readonly string[] } {
  const values: string[] = [];
  const types: string[] = [];
  for (const statement of parse(path).statements) {
    if (statement.getText() === "export * from './every-entry.js';") {
      const common = exportsOf('src/every-entry.ts');
      values.push(...common.values);
      types.push(...common.types);
      continue;
    }
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined) {
      throw new Error(`${path} may hold only "export { … } from": ${statement.getText().slice(0, 80)}`);
    }
    if (!ts.isNamedExports(statement.exportClause)) throw new Error(`${path} may not export a namespace`);
    for (const element of statement.exportClause.elements) {
      (statement.isTypeOnly || element.isTypeOnly ? types : values).push(element.name.text);
    }
  }
  return { values: values.toSorted(), types: types.toSorted() };
}

function stringsOfUnion(path: string, name: string): readonly string[] {
  const strings: string[] = [];
  const alias = parse(path).statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === name);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) strings.push(node.text);
    ts.forEachChild(node, visit);
  };
  if (alias !== undefined) visit(alias);
  return strings.toSorted();
}

describe('public names', () => {
  it.each(Object.entries(PUBLIC_NAMES))('%s exports what it promises', (path, promised) => {
    expect(exportsOf(path)).toEqual(promised);
  });

  it('error codes are what they were', () => {
    expect(stringsOfUnion('src/errors/error-code.ts', 'ErrorCode')).toEqual(ERROR_CODES);
  });

  it('package.json opens these paths', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      exports: Record<string, unknown>;
    };
    expect(Object.keys(manifest.exports).toSorted()).toEqual(PUBLIC_PATHS);
  });
});
