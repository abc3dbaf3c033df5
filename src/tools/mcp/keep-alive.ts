import type { Attendance } from './attendance.js';

const TOUCHES_PER_LIMIT = 3;

/** While a person is being asked something, shows signs of life more often than the idle limit asks for. */
export function keepAliveWhileAsked(
  attendance: Attendance,
  callId: string,
  idleMs: number,
  touch: () => void,
): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const leave = attendance.enter(callId, (isPending) => {
    touch();
    clearInterval(timer);
    timer = isPending ? setInterval(touch, idleMs / TOUCHES_PER_LIMIT) : undefined;
  });
  return () => {
    leave();
    clearInterval(timer);
  };
}
