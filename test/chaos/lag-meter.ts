const EVERY_MS = 10;

/** How long the event loop stood still at most: then a short time limit may run out though nobody was slow. */
export function createLagMeter(): { stop(): number } {
  let last = performance.now();
  let worst = 0;
  const measure = (): void => {
    const now = performance.now();
    worst = Math.max(worst, now - last - EVERY_MS);
    last = now;
  };
  const timer = setInterval(measure, EVERY_MS);
  return {
    stop() {
      measure();
      clearInterval(timer);
      return worst;
    },
  };
}
