import { Anchor, Box, Group, Stack, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { plans } from '#contract/billing/plans.ts'
import type { ImportNow } from '#contract/imports.ts'
import { isUnauthorized, serverMessageOf } from '../../api.ts'
import { counted, formatCount } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { DialogBar } from '../../ui/dialog/dialog.tsx'
import { reportFailure } from '../../ui/messages/failure.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { PlansLink } from '../../ui/plans-link.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import table from '../../ui/rows.module.css'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { importAddress, NO_FILE } from '../addresses.ts'
import { DomainField } from '../domain-field.tsx'
import { Note } from '../note.tsx'
import { useOwner } from '../owner.ts'
import { SeriesLook, sharedOf, useSeriesForm } from '../series/series-look.tsx'
import { TagsField } from '../tags/tags-field.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportRowsTable } from './import-rows.tsx'
import {
  formatNames,
  hasDestination,
  importText,
  lossText,
  obstacleIn,
  readyRows,
  roomText,
} from './import-words.ts'
import { tableAddress, useDiscard, usePublish, useReadAgain } from './queries.ts'

/** The codes that a file would become, with each row's errors. Those that are ready are created when the owner confirms. */
export function ImportPreview({ now }: { now: ImportNow }) {
  const { tier } = useOwner()
  const { id, problems, lostPaths, room, fault } = now
  const ready = readyRows(now)
  const isKnown = hasDestination(now.columns)
  const form = useSeriesForm()
  const publish = usePublish(id)
  const discard = useDiscard()
  const obstacle = obstacleIn(now)
  const lost = lossText(now)
  const refusal = publish.error ? (serverMessageOf(publish.error) ?? NOT_CREATED) : null
  const create = () => {
    const shared = sharedOf(form)
    if (!shared) return
    publish.mutate(
      { ...shared, otherPaths: lostPaths > 0, skipProblems: problems > 0 },
      { onError: (error) => isUnauthorized(error) && reportFailure(error, '') },
    )
  }
  const throwAway = () => discard.mutate(id, { onSuccess: () => importAddress.replace(NO_FILE) })
  return (
    <>
      <Stack gap="md">
        <FailureAlert message={fault && !publish.isPending ? fault.message : null} />
        <Summary now={now} />
        {isKnown && <ImportDomain now={now} />}
        {isKnown && problems > 0 && (
          <Text size="sm">
            {ready > 0
              ? 'Fix the errors here, or import the rest and '
              : 'Fix the errors here, or '}
            <Anchor href={tableAddress(id, 'problems')} download inherit underline="always">
              download {problems === 1 ? 'the row with its error' : 'these rows with their errors'}
            </Anchor>
            .
          </Text>
        )}
        {isKnown && <ImportRowsTable key={id} now={now} hasPaths={plans[tier].customPaths} />}
        {lost && <Note icon={TriangleAlert}>{lost}</Note>}
        <ImportColumns now={now} />
        {obstacle === null && (
          <>
            <div>
              <TagsField {...form.getInputProps('tags')} />
              <Quiet size="xs" mt={4}>
                Added to {ready === 1 ? 'the QR code' : `all ${counted(ready, 'QR code')}`}, on top
                of the tags in the file.
              </Quiet>
            </div>
            <SeriesLook form={form} />
          </>
        )}
        {/* Beside the button that asked for it. */}
        <FailureAlert message={refusal} />
      </Stack>
      <DialogBar
        buttons={
          <>
            <BusyButton variant="default" busy={discard.isPending} onClick={throwAway}>
              Discard
            </BusyButton>
            <BusyButton
              busy={publish.isPending}
              busyText="Starting..."
              disabled={obstacle !== null}
              onClick={create}
            >
              {importText(ready)}
            </BusyButton>
          </>
        }
      >
        <Text size="sm" role="status" flex="1 1 260px" c={ready > room ? BAD_TEXT : undefined}>
          {obstacle ?? (tier !== 'unlimited' && roomText(ready, room))}{' '}
          {ready > room && tier !== 'unlimited' && <PlansLink>See plans</PlansLink>}
        </Text>
      </DialogBar>
    </>
  )
}

const NOT_CREATED = 'No QR codes were created. Please try again.'

/** The domain of the codes' links. With another one the file is read again. */
function ImportDomain({ now }: { now: ImportNow }) {
  const { id, domain, columns } = now
  const update = useReadAgain(id)
  return (
    <DomainField
      label="Domain for the short links"
      description={
        domain === null
          ? 'To keep capitals and slashes in paths, choose your own domain.'
          : `Paths stay as they are in the file, so ${domain}/… leads where it did.`
      }
      value={domain ?? ''}
      disabled={update.isPending}
      onChange={(host) =>
        update.mutate({ columns: columns.map(({ as }) => as), domain: host || null })
      }
    />
  )
}

/** Where the file is from, and how many of its rows are ready. */
function Summary({ now }: { now: ImportNow }) {
  const { name, format, encoding, problems } = now
  const source = formatNames[format]
  return (
    <div>
      <Text size="sm" className={table.words} maw="100%" dir="auto">
        <b>{name}</b>
        {source && `, exported from ${source}`}
      </Text>
      <Group component="ul" gap="4px 20px" mt={8} aria-label="Rows in this file">
        {hasDestination(now.columns) ? (
          <Count value={readyRows(now)} text="ready" />
        ) : (
          <Count value={now.rows} text={now.rows === 1 ? 'row' : 'rows'} />
        )}
        {problems > 0 && hasDestination(now.columns) && (
          <Count value={problems} text={problems === 1 ? 'with an error' : 'with errors'} isBad />
        )}
      </Group>
      {encoding === 'windows-1252' && (
        <Quiet>
          This file isn’t UTF-8, so check that accents and other special letters look right. If they
          don’t, save it as “CSV UTF-8” and start over.
        </Quiet>
      )}
    </div>
  )
}

function Count({ value, text, isBad }: { value: number; text: string; isBad?: boolean }) {
  return (
    <Box component="li" c={isBad ? BAD_TEXT : undefined}>
      <b style={{ fontSize: 'var(--mantine-font-size-xl)', fontVariantNumeric: 'tabular-nums' }}>
        {formatCount(value)}
      </b>{' '}
      {text}
    </Box>
  )
}
