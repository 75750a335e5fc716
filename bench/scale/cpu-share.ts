import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Linux counts a process's time in periods of this length, and stops it for what is left of one. */
const PERIOD_MICROS = 20_000

export type CpuShare = { hold: (pid: number) => void; end: () => void }

/**
 * Holds processes to a share of one core together, by a control group of Linux.
 * @param share of a core, above 0
 * @returns undefined if this machine does not let us
 */
export function cpuShare(name: string, share: number): CpuShare | undefined {
  const quota = Math.round(PERIOD_MICROS * share)
  const isOld = existsSync('/sys/fs/cgroup/cpu/cgroup.procs')
  const group = join(isOld ? '/sys/fs/cgroup/cpu' : '/sys/fs/cgroup', name)
  try {
    mkdirSync(group, { recursive: true })
    if (isOld) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), `${PERIOD_MICROS}`)
      writeFileSync(join(group, 'cpu.cfs_quota_us'), `${quota}`)
    } else writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_MICROS}`)
  } catch {
    return undefined
  }
  return {
    hold: (pid) => writeFileSync(join(group, 'cgroup.procs'), `${pid}`),
    /** Once its processes have ended. */
    end: () => rmdirSync(group),
  }
}
