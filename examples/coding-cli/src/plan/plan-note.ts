/** Stands behind what the person said while a plan is asked for: in the message, since instructions that change cost the cache of the server. */
export const PLAN_NOTE =
  '[The person wants a plan before any work. Only calls that read may run. Read what you need, ask what is unclear, then call present_plan with the whole plan.]';
