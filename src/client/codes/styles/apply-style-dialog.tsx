import { Text } from '@mantine/core'
import { Palette } from 'lucide-react'
import { useState } from 'react'
import type { QrCode } from '#contract/codes/codes.ts'
import { lookOf } from '#contract/pictures/pictures.ts'
import type { KeptStyle } from '#contract/pictures/styles.ts'
import { formatCount } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { DialogBar, Loaded } from '../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Choices } from '../editor/fields.tsx'
import { DESIGNS } from './my-styles.tsx'
import { useApplyStyle, useStyles } from './queries.ts'
import { StyleSample } from './style-sample.tsx'

type Props = { codes: readonly QrCode[]; onClose: () => void }

/** Gives the chosen codes one of the account's styles. */
export function ApplyStyle(about: Props) {
  return (
    <Loaded query={useStyles()} what="Your designs">
      {(all) =>
        all.length === 0 ? (
          <EmptyState
            icon={Palette}
            title="No designs yet"
            text="Open a QR code, make it look the way you want, and choose “Save this design”."
          />
        ) : (
          <Designs all={all} {...about} />
        )
      }
    </Loaded>
  )
}

function Designs({ all, codes, onClose }: Props & { all: KeptStyle[] }) {
  const [style, setStyle] = useState<KeptStyle>()
  const apply = useApplyStyle()
  const count = formatCount(codes.length)
  const named = codes.length === 1 ? 'this QR code' : `${count} QR codes`
  return (
    <>
      <Text size="sm">
        This changes the design of {named} in every file you download from now on. Printed codes
        keep working.
      </Text>
      <Choices
        aria-label="My designs"
        items={all}
        chosen={style}
        idOf={({ id }) => id}
        onChange={setStyle}
        grid={DESIGNS}
        card={() => ({ 'data-design': true })}
      >
        {({ name, look }) => (
          <>
            <StyleSample look={lookOf(look)} />
            <Text component="span" display="block" size="sm" fw={600} truncate>
              {name}
            </Text>
          </>
        )}
      </Choices>
      <DialogBar
        onClose={onClose}
        buttons={
          <BusyButton
            busy={apply.isPending}
            busyText="Changing..."
            disabled={!style}
            onClick={() => style && apply.mutate({ style, codes }, { onSuccess: onClose })}
          >
            Change {named}
          </BusyButton>
        }
      />
    </>
  )
}
