import { Group, Loader, SegmentedControl, Table, Text, TextInput } from '@mantine/core'
import { ChevronLeft, ChevronRight, CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ImportField, ImportNow, ImportRow } from '#contract/imports.ts'
import { serverMessageOf } from '../../api.ts'
import { formatCount, formatDay } from '../../formats.ts'
import { useOnPhone } from '../../ui/dialog/dialog.tsx'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './import.module.css'
import { fieldNames } from './import-words.ts'
import { type RowFilter, useChangeRow, useImportRows } from './queries.ts'

type Props = {
  now: ImportNow
  /** Whether the plan has custom URLs: a row without its own can get another one. */
  hasPaths: boolean
}

/** The rows of a file, a page at a time, with what is wrong at its place. Those with errors are shown first. */
export function ImportRowsTable({ now, hasPaths }: Props) {
  const { id, rows, problems, losses, domain } = now
  const [only, setOnly] = useState<RowFilter>(problems > 0 ? 'problems' : 'all')
  /** Where the pages before this one begin */
  const [way, setWay] = useState<(string | null)[]>([null])
  const page = useImportRows(id, only, way.at(-1) ?? null)
  const area = useRef<HTMLDivElement>(null)
  const onPhone = useOnPhone()
  const counts: Record<RowFilter, number> = { all: rows, problems, losses }
  // The last row that is mended does not take away the list that it stands in.
  const filters = [
    { value: 'all', label: `All rows (${formatCount(rows)})` },
    { value: 'problems', label: `Errors (${formatCount(problems)})` },
    { value: 'losses', label: `Changed (${formatCount(losses)})` },
  ].filter(({ value }) => value === only || value === 'all' || counts[value as RowFilter] > 0)
  const turn = (next: (string | null)[]) => {
    setWay(next)
    area.current?.scrollTo({ top: 0 })
  }
  const next = page.data?.nextCursor ?? null
  return (
    <div>
      {filters.length > 1 && (
        <SegmentedControl
          aria-label="Rows to show"
          size="sm"
          mb="xs"
          value={only}
          onChange={(value) => {
            setOnly(value as RowFilter)
            turn([null])
          }}
          data={filters}
        />
      )}
      {page.isError && <LoadFailure what="The rows" reading={page} />}
      {page.isPending && <Spinner label="Loading the rows" />}
      {page.data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by keyboard
        <section ref={area} className={styles.rows} tabIndex={0} aria-label="Rows of the file">
          <Table role="table" verticalSpacing={6} horizontalSpacing="sm" layout="fixed">
            <Table.Thead role="rowgroup">
              <Table.Tr role="row">
                <Table.Th
                  scope="col"
                  role="columnheader"
                  className={styles.number}
                  w={onPhone ? 52 : 64}
                >
                  Row
                </Table.Th>
                <Table.Th scope="col" role="columnheader">
                  Name
                </Table.Th>
                <Table.Th scope="col" role="columnheader" w={onPhone ? '52%' : '55%'}>
                  Destination
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody role="rowgroup">
              {page.data.items.map((row) => (
                <Row key={row.row} id={id} row={row} hasPaths={hasPaths} before={domain ?? '/qr'} />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      {(way.length > 1 || next !== null) && (
        <Group gap={8} justify="flex-end" mt={8}>
          <PlainButton
            size="xs"
            leftSection={<ChevronLeft size={14} />}
            disabled={way.length === 1}
            onClick={() => turn(way.slice(0, -1))}
          >
            Previous
          </PlainButton>
          <PlainButton
            size="xs"
            rightSection={<ChevronRight size={14} />}
            disabled={next === null}
            onClick={() => turn([...way, next])}
          >
            Next
          </PlainButton>
        </Group>
      )}
    </div>
  )
}

type RowProps = {
  id: string
  row: ImportRow
  hasPaths: boolean
  /** The text before custom URLs */
  before: string
}

/** Cells with an error are fields, and stay so when the error is gone: its user sees that it is. */
function Row({ id, row: now, hasPaths, before }: RowProps) {
  const { row, name, url, vanityUrl, lostPath, tags, createdAt, losses } = now
  const [wrong] = useState(() => new Set(wrongFields(now, hasPaths)))
  const cell = (field: EditedField, text: string, shown = text) => {
    const problem = now.problems.find((one) => one.field === field)?.message
    const warning = field === 'vanityUrl' ? lostPath : null
    return wrong.has(field) ? (
      <EditedCell id={id} row={row} field={field} text={text} problem={problem} warning={warning} />
    ) : (
      <TextCell
        text={shown}
        warnings={warning === null ? [] : [warning]}
        isMain={field === 'name'}
      />
    )
  }
  const details = [
    now.isPaused && 'Paused',
    tags.join(', '),
    createdAt && `Created ${formatDay(createdAt)}`,
  ].filter(Boolean)
  return (
    <Table.Tr role="row">
      <Table.Td role="cell" className={styles.number}>
        {row}
      </Table.Td>
      <Table.Td role="cell">
        {cell('name', name)}
        <TextCell text={details.join(' · ')} warnings={losses} />
      </Table.Td>
      <Table.Td role="cell">
        {cell('url', url)}
        {(vanityUrl !== null || wrong.has('vanityUrl')) &&
          cell('vanityUrl', vanityUrl ?? '', `${before}/${vanityUrl}`)}
      </Table.Td>
    </Table.Tr>
  )
}

const editedFields: readonly EditedField[] = ['name', 'url', 'vanityUrl']

function wrongFields({ problems, lostPath }: ImportRow, hasPaths: boolean): EditedField[] {
  const isWrong = (field: EditedField) => problems.some((one) => one.field === field)
  return editedFields.filter(
    (field) => isWrong(field) || (field === 'vanityUrl' && lostPath !== null && hasPaths),
  )
}

type EditedField = Extract<ImportField, 'name' | 'url' | 'vanityUrl'>

type CellProps = {
  id: string
  row: number
  field: EditedField
  text: string
  /** The error of the cell, if it has one */
  problem: string | undefined
  /** The reason why the code goes without it, if the row is ready */
  warning: string | null
}

/** A cell that can be changed, since something is wrong with it. The server checks the row again. */
function EditedCell({ id, row, field, text, problem, warning }: CellProps) {
  const [typed, setTyped] = useState(text)
  const change = useChangeRow(id, row)
  const save = () => {
    if (typed.trim() === text || change.isPending) return
    change.mutate({ [field]: typed }, { onSuccess: ({ row: now }) => setTyped(now[field] ?? '') })
  }
  const refusal = change.error ? (serverMessageOf(change.error) ?? NOT_SAVED) : undefined
  const error = refusal ?? problem
  const isGood = !error && !warning && typed.trim() === text
  return (
    <TextInput
      size="sm"
      aria-label={`${fieldNames[field]} in row ${row}`}
      placeholder={fieldNames[field]}
      dir="auto"
      value={typed}
      error={error}
      description={!error && warning}
      descriptionProps={{ fz: 'sm', c: 'var(--doubtful)' }}
      inputWrapperOrder={['input', 'error', 'description']}
      rightSection={<State isBusy={change.isPending} isGood={isGood} />}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      onBlur={save}
      onKeyDown={({ key }) => key === 'Enter' && save()}
    />
  )
}

const NOT_SAVED = 'This change wasn’t saved. Try again.'

function State({ isBusy, isGood }: { isBusy: boolean; isGood: boolean }) {
  if (isBusy) return <Loader size={16} aria-label="Checking" />
  return isGood ? <CircleCheck size={16} color="var(--good)" aria-label="Fixed" role="img" /> : null
}

type TextProps = { text: string; warnings: readonly string[]; isMain?: boolean }

/** A cell that is fine, or loses something. */
function TextCell({ text, warnings, isMain = false }: TextProps) {
  const look = isMain ? { fw: 600 } : { c: 'dimmed' }
  return (
    <>
      {text !== '' && (
        <Text size="sm" {...look} lineClamp={2} title={text} dir="auto">
          {text}
        </Text>
      )}
      {warnings.map((warning) => (
        <Text key={warning} size="sm" c="var(--doubtful)">
          {warning}
        </Text>
      ))}
    </>
  )
}
