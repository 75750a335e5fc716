import { getPriority, platform, setPriority } from 'node:os'

const NICE = 10

/** Gives the calling thread low priority, so that it holds up no redirect. */
export function lowerPriority() {
  // On Linux this is the priority of the calling thread alone; elsewhere it would be the whole server's.
  if (platform() === 'linux') setPriority(Math.max(NICE, getPriority()))
}
