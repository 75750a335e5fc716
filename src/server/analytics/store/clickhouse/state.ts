import type { Clock } from '../../../clock.ts'
import { ConfigError } from '../../../config.ts'
import type { ScansPlace } from '../../../database/connect.ts'
import { compareClocks, type Finding, say, sayAll } from '../../../doctor/finding.ts'
import { gauge, type Metric } from '../../../http/metrics.ts'
import { RepeatableTask } from '../../../repeatable-task.ts'
import { ClickHouse } from './clickhouse.ts'
import { refuseOld } from './tables.ts'

const MB = 1024 ** 2
const FULL_BYTES = 1024 * MB
const SCARCE_SHARE = 0.1
/** Its own log tables have eaten whole disks. */
const LOGS_MAX_BYTES = 1024 * MB
/** Active parts of a month: far below the number at which ClickHouse delays inserts */
const PARTS_MAX = 300

/** `share` is the part of the fullest disk that is free, `parts` the most active ones of a month. */
type State = {
  version: string
  at: number
  freeBytes: number
  share: number
  logBytes: number
  parts: number
}

async function stateOf(clickhouse: ClickHouse): Promise<State> {
  const parts = `select count() as parts from system.parts
    where active and database = currentDatabase() and table = 'scans' group by partition`
  const [state] = await clickhouse.rows<State>(`select version() as version,
    toUnixTimestamp64Milli(now64(3)) as at,
    (select min(free_space) from system.disks) as freeBytes,
    (select min(free_space / total_space) from system.disks) as share,
    (select sum(bytes_on_disk) from system.parts
      where active and database = 'system' and match(table, '_log(_\\\\d+)?$')) as logBytes,
    (select max(parts) from (${parts})) as parts`)
  return state as State
}

/** Finds whether a ClickHouse answers, and keeps its disk, its logs and its parts in order. */
export async function checkClickHouse(place: ScansPlace, clock: Clock): Promise<Finding[]> {
  const clickhouse = new ClickHouse(place)
  try {
    await refuseOld(clickhouse)
    const { version, at, freeBytes, share, logBytes, parts } = await stateOf(clickhouse)
    const isFull = freeBytes < FULL_BYTES
    const conditions = {
      full: isFull,
      scarce: !isFull && share < SCARCE_SHARE,
      logs: logBytes > LOGS_MAX_BYTES,
      parts: parts > PARTS_MAX,
    }
    const mb = Math.floor(freeBytes / MB)
    const found = sayAll('scans', conditions, {
      version,
      mb,
      logs: Math.ceil(logBytes / MB),
      parts,
    })
    return [...found, compareClocks(at - clock().getTime(), 'ClickHouse')]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [say('scans', 'unfit', { reason: error.message })]
  } finally {
    await clickhouse.close()
  }
}

/** The state for GET /metrics, as it was at the call before: no call waits for it. */
export function clickhouseMetrics(clickhouse: ClickHouse): () => Metric[] {
  let last: Metric[] = []
  const up = (value: number) => gauge('clickhouse_up', '1 if ClickHouse answers', value)
  const look = new RepeatableTask(async () => {
    last = await stateOf(clickhouse).then(
      ({ freeBytes, parts }) => [
        up(1),
        gauge('clickhouse_free_bytes', 'Free bytes of the fullest disk of ClickHouse', freeBytes),
        gauge('clickhouse_parts', 'The most active parts of a month of scans', parts),
      ],
      () => [up(0)],
    )
  })
  return () => {
    look.soon()
    return last
  }
}
