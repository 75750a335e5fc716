import { Anchor, Checkbox, FileButton, Stack, Text } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { codeForm } from '#contract/codes.ts'
import type { ImportNow } from '#contract/imports.ts'
import { fieldsOf, lookOf } from '#contract/pictures/pictures.ts'
import { plans, type Tier } from '#contract/plans.ts'
import { isUnauthorized, serverMessageOf } from '../../api.ts'
import { counted, formatCount } from '../../formats.ts'
import type { Values } from '../../kept-form.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { DialogBar } from '../../ui/dialog/dialog.tsx'
import { reportFailure } from '../../ui/messages/failure.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import table from '../../ui/rows.module.css'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { importAddress, NO_FILE } from '../addresses.ts'
import { valuesOf } from '../editor/values.ts'
import { Note } from '../note.tsx'
import { hasColours, SeriesLook, useBeginningLook } from '../series/series-look.tsx'
import { TagsField } from '../tags/tags-field.tsx'
import { useSendFile } from './choose-file.tsx'
import styles from './import.module.css'
import { ImportRowsTable } from './import-rows.tsx'
import {
  ACCEPTED,
  formatNames,
  makeText,
  obstacleIn,
  readText,
  roomText,
  unreadText,
} from './import-words.ts'
import { useDiscard, usePublish } from './queries.ts'

type Props = { now: ImportNow; tier: Tier }

/** The codes that a file would become, with each row's errors. They are made when the owner confirms. */
export function ImportPreview({ now, tier }: Props) {
  const { id, rows, problems, lostPaths, room, fault } = now
  const form = useForm<Values>({
    initialValues: valuesOf(undefined),
    validate: schemaResolver(codeForm, { sync: true }),
  })
  useBeginningLook(form, { isKept: false, hasArtwork: plans[tier].hasArtwork })
  const [otherPaths, setOtherPaths] = useState(false)
  const publish = usePublish(id)
  const discard = useDiscard()
  const mended = useSendFile(() => discard.mutate(id))
  const obstacle = obstacleIn(now, otherPaths)
  const refusal = publish.error ? (serverMessageOf(publish.error) ?? NOT_MADE) : null
  const make = () => {
    if (!hasColours(form)) return
    const { tags, ...values } = form.getValues()
    publish.mutate(
      { look: fieldsOf(lookOf(values)), tags, otherPaths },
      { onError: (error) => isUnauthorized(error) && reportFailure(error, '') },
    )
  }
  const throwAway = () => discard.mutate(id, { onSuccess: () => importAddress.replace(NO_FILE) })
  return (
    <>
      <Stack gap="md">
        <FailureAlert message={fault && !publish.isPending ? fault.message : null} />
        <Summary now={now} />
        <ImportRowsTable key={id} now={now} />
        {problems === 0 && lostPaths > 0 && (
          <div>
            <Note icon={TriangleAlert}>
              {lostPaths === 1
                ? 'One custom URL cannot be had.'
                : `${formatCount(lostPaths)} custom URLs cannot be had.`}{' '}
              {lostPaths === 1 ? 'Its row says' : 'Their rows say'} why. You can also change the
              file, and choose it again.
            </Note>
            <Checkbox
              mt="sm"
              label={
                lostPaths === 1
                  ? 'Give this QR code a short link only'
                  : `Give these ${formatCount(lostPaths)} QR codes a short link only`
              }
              checked={otherPaths}
              onChange={({ currentTarget: { checked } }) => setOtherPaths(checked)}
            />
          </div>
        )}
        {problems === 0 && rows <= room && (
          <>
            <div>
              <TagsField {...form.getInputProps('tags')} />
              <Text size="xs" c="dimmed" mt={4}>
                All {counted(rows, 'QR code')} get these, besides those of their row.
              </Text>
            </div>
            <SeriesLook form={form} />
          </>
        )}
        {/* Beside the buttons that asked for it. */}
        <FailureAlert message={refusal ?? mended.fault} />
      </Stack>
      <DialogBar
        buttons={
          <>
            <BusyButton variant="default" busy={discard.isPending} onClick={throwAway}>
              Discard
            </BusyButton>
            {problems > 0 ? (
              <FileButton accept={ACCEPTED} onChange={mended.take}>
                {({ onClick }) => (
                  <BusyButton
                    busy={mended.sending !== null}
                    busyText="Reading..."
                    onClick={() => onClick()}
                  >
                    Choose the changed file
                  </BusyButton>
                )}
              </FileButton>
            ) : (
              <BusyButton
                busy={publish.isPending}
                busyText="Beginning..."
                disabled={obstacle !== null}
                onClick={make}
              >
                {makeText(rows)}
              </BusyButton>
            )}
          </>
        }
      >
        <Text size="sm" role="status" flex="1 1 260px" c={rows > room ? BAD_TEXT : undefined}>
          {obstacle ?? `${roomText(room)} This takes ${formatCount(rows)}.`}{' '}
          {rows > room && tier !== 'unlimited' && (
            <Anchor component={Link} href="/subscription" inherit underline="always">
              See the plans
            </Anchor>
          )}
        </Text>
      </DialogBar>
    </>
  )
}

const NOT_MADE = 'Nothing was made. Please try again.'

/** How many rows there are and how they are, and what was read as what. */
function Summary({ now }: { now: ImportNow }) {
  const { name, format, rows, problems, columns } = now
  const source = formatNames[format]
  const unread = unreadText(columns)
  return (
    <div>
      <Text size="sm" className={table.words} maw="100%" dir="auto">
        <b>{name}</b>
        {source && `, read as ${format === 'tessera' ? source : `an export of ${source}`}`}
      </Text>
      <ul className={styles.counts} aria-label="What the file has">
        <Count value={rows} text={rows === 1 ? 'row' : 'rows'} />
        <Count value={rows - problems} text="fine" />
        {problems > 0 && (
          <Count value={problems} text={problems === 1 ? 'has an error' : 'have errors'} isBad />
        )}
      </ul>
      <Text size="sm" c="dimmed">
        Read: {readText(columns)}.{unread && ` Left aside: ${unread}.`}
      </Text>
    </div>
  )
}

function Count({ value, text, isBad }: { value: number; text: string; isBad?: boolean }) {
  return (
    <li data-bad={isBad || undefined}>
      <b>{formatCount(value)}</b> {text}
    </li>
  )
}
