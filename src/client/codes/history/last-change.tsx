import type { QrCode } from '#contract/codes/codes.ts'
import { formatDay } from '../../formats.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { useLastChange } from '../queries.ts'

/** The last change of a code, if another person made it. */
export function LastChange({ code }: { code: QrCode }) {
  const { data } = useLastChange(code.id)
  if (!data || data.isYou || data.byName === null) return null
  return (
    <Quiet>
      Changed by <bdi>{data.byName}</bdi> on {formatDay(data.at)}.
    </Quiet>
  )
}
