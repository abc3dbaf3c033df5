import type { Browser } from 'playwright-core';
import { cleanEnvironment } from 'responses-loop-example-shared/clean-environment.js';

export interface LaunchOptions {
  readonly program: string;
  /** For what Chromium asks for itself; pages have one of their own. */
  readonly proxy: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const LAUNCH_MS = 20_000;
const HEAP_MB = 512;

const FLAGS = [
  // What would pass by the proxy: datagrams, and names that Chromium looks up itself.
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--no-pings',
  '--deny-permission-prompts',
  '--disable-gpu',
  '--mute-audio',
  `--js-flags=--max-old-space-size=${HEAP_MB}`,
];

/** Chromium refuses to run its sandbox for root. */
export function hasBrowserSandbox(): boolean {
  return process.getuid?.() !== 0;
}

/** Without this rule Chromium would connect to loopback itself. */
export function throughProxy(server: string): { readonly server: string; readonly bypass: string } {
  return { server, bypass: '<-loopback>' };
}

/** A Chromium with an empty profile in a temporary folder, which goes with it. */
export async function launchBrowser({ program, proxy, env }: LaunchOptions): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: program,
    headless: true,
    chromiumSandbox: hasBrowserSandbox(),
    proxy: throughProxy(proxy),
    env: cleanEnvironment(env),
    // This server ends it, after its turns were stored.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: LAUNCH_MS,
    args: FLAGS,
  });
}
