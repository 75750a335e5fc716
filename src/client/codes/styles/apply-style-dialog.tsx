import { Radio, Text } from '@mantine/core'
import { Palette } from 'lucide-react'
import { useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { lookOf } from '#contract/pictures/pictures.ts'
import type { KeptStyle } from '#contract/pictures/styles.ts'
import { formatCount } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { DialogBar, Loaded } from '../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ChoiceCard } from '../editor/fields.tsx'
import { useApplyStyle, useStyles } from './queries.ts'
import { StyleSample } from './style-sample.tsx'
import styles from './styles.module.css'

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
          <Choices kept={all} {...about} />
        )
      }
    </Loaded>
  )
}

function Choices({ kept, codes, onClose }: Props & { kept: KeptStyle[] }) {
  const [id, setId] = useState('')
  const apply = useApplyStyle()
  const style = kept.find((one) => one.id === id)
  const count = formatCount(codes.length)
  const named = codes.length === 1 ? 'this QR code' : `${count} QR codes`
  const run = () => {
    if (style) apply.mutate({ style, codes }, { onSuccess: onClose })
  }
  return (
    <>
      <Text size="sm">
        This changes the design of {named} in every file you download from now on. Printed codes
        keep working.
      </Text>
      <Radio.Group value={id} onChange={setId} aria-label="My designs">
        <div className={styles.list}>
          {kept.map((one, index) => (
            <ChoiceCard
              key={one.id}
              value={one.id}
              chosen={id}
              isFirst={index === 0}
              className={styles.card}
              p={8}
            >
              <StyleSample look={lookOf(one.look)} />
              <Text component="span" display="block" size="sm" fw={600} truncate>
                {one.name}
              </Text>
            </ChoiceCard>
          ))}
        </div>
      </Radio.Group>
      <DialogBar
        onClose={onClose}
        buttons={
          <BusyButton busy={apply.isPending} busyText="Changing..." disabled={!style} onClick={run}>
            Change {named}
          </BusyButton>
        }
      />
    </>
  )
}
