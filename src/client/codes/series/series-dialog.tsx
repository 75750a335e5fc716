import { useEffect, useState } from 'react'
import type { QrCode } from '#contract/codes/codes.ts'
import { formatCount } from '../../formats.ts'
import { forgetForm, SERIES } from '../../kept-form.ts'
import { LateDialog } from '../../ui/dialog/dialog.tsx'
import { seriesAddress } from '../addresses.ts'
import { useGuardedAddress } from '../editor/unsaved-changes.ts'

/** The dialog that /dashboard?series asks for. Its form is loaded when it is first needed. */
export function SeriesDialog({ places }: { places: number | null | undefined }) {
  const { asked, unsaved, close, leave } = useGuardedAddress(seriesAddress)
  const opened = asked !== null
  const [made, setMade] = useState<QrCode[] | null>(null)
  // A series that this tab keeps is for the way back from signing in only.
  useEffect(() => {
    if (seriesAddress.asked(window.location.search) === null) forgetForm(SERIES)
  }, [])
  return (
    <LateDialog
      load={loadSeries}
      height={480}
      opened={opened}
      onClose={leave}
      onClosed={() => setMade(null)}
      title={made ? readyText(made.length) : 'Create a series'}
      what="The form"
      size={made ? 920 : 880}
      isLarge
    >
      {({ SeriesForm, SeriesResult }) =>
        made ? (
          <SeriesResult codes={made} onClose={close} />
        ) : (
          <SeriesForm
            places={places}
            opened={opened}
            unsaved={unsaved}
            onCancel={leave}
            onMade={setMade}
          />
        )
      }
    </LateDialog>
  )
}

const loadSeries = () => import('./series-form.tsx')

const readyText = (count: number) =>
  count === 1 ? 'Your code is ready' : `Your ${formatCount(count)} codes are ready`
