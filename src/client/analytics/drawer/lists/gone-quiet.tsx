import type { ScansByCode } from '#contract/analytics/analytics.ts'
import { isUnscanned, UNSCANNED_DAYS } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { formatDay } from '../../../formats.ts'
import { Card, useInSight } from '../card.tsx'
import { keptQuietCodes } from '../download/kept-cards.ts'
import { useScansByCode } from '../queries.ts'
import { showStatsOf } from '../view/view.ts'
import { GrowingRows, Note } from './value-rows.tsx'

export type Named = Pick<QrCode, 'id' | 'name' | 'createdAt' | 'tags' | 'rules'>

type Scanned = Omit<Named, 'tags' | 'rules'> & { total: number; lastScan: number | undefined }

/** The codes without a recent scan, the longest forgotten first. */
export function quietCodes(codes: readonly Named[], scans: ScansByCode, now: Date): Scanned[] {
  const known = new Map(scans.map((each) => [each.id, each]))
  const all = codes.map(({ id, name, createdAt }): Scanned => {
    const found = known.get(id)
    const lastScan = found && Date.parse(found.lastScannedAt)
    return { id, name, createdAt, total: found?.totalScans ?? 0, lastScan }
  })
  const since = (code: Scanned) => code.lastScan ?? Date.parse(code.createdAt)
  return all
    .filter(({ createdAt, lastScan }) =>
      isUnscanned({ createdAt: Date.parse(createdAt), lastScan }, now),
    )
    .sort((a, b) => since(a) - since(b))
}

const DEFINITION = `No scans by people in the last ${UNSCANNED_DAYS} days, regardless of the range and the filters above.`

/** The only card with days of its own. */
export function GoneQuiet({ codes }: { codes: readonly Named[] }) {
  const [card, isInSight] = useInSight()
  const scans = useScansByCode({ enabled: isInSight })
  const quiet = scans.data && quietCodes(codes, scans.data, new Date())
  return (
    <Card
      ref={card}
      title="Gone quiet"
      definition={DEFINITION}
      kept={quiet && keptQuietCodes(DEFINITION, quiet)}
      answer={scans}
    >
      {quiet?.length === 0 && (
        <Note>None. Every code was scanned or created in the last {UNSCANNED_DAYS} days.</Note>
      )}
      <GrowingRows
        rows={(quiet ?? []).map((code) => ({
          id: code.id,
          name: code.name,
          text: lastScanText(code),
          onClick: () => showStatsOf(code.id),
        }))}
      />
    </Card>
  )
}

const lastScanText = ({ lastScan }: Scanned) =>
  lastScan === undefined ? 'Never scanned' : `Last scan ${formatDay(new Date(lastScan))}`
