import { Button, Group, SegmentedControl, Table, Text } from '@mantine/core'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ImportField, ImportNow, ImportRow } from '#contract/imports.ts'
import { formatCount } from '../../formats.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import styles from './import.module.css'
import { type RowFilter, useImportRows } from './queries.ts'

/** The rows of a file, a page at a time, with what is wrong at its place. Those with errors are shown first. */
export function ImportRowsTable({ now }: { now: ImportNow }) {
  const { id, rows, problems, lostPaths } = now
  const [only, setOnly] = useState<RowFilter>(problems > 0 ? 'problems' : 'all')
  /** Where the pages before this one begin */
  const [way, setWay] = useState<(string | null)[]>([null])
  const page = useImportRows(id, only, way.at(-1) ?? null)
  const area = useRef<HTMLDivElement>(null)
  const filters = [
    { value: 'all', label: `All rows (${formatCount(rows)})` },
    ...(problems > 0 ? [{ value: 'problems', label: `Errors (${formatCount(problems)})` }] : []),
    ...(lostPaths > 0
      ? [{ value: 'lost-paths', label: `Custom URLs (${formatCount(lostPaths)})` }]
      : []),
  ]
  const turn = (next: (string | null)[]) => {
    setWay(next)
    area.current?.scrollTo({ top: 0 })
  }
  const next = page.data?.nextCursor ?? null
  return (
    <div>
      {filters.length > 1 && (
        <SegmentedControl
          aria-label="Rows that are shown"
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
          <Table verticalSpacing={6} horizontalSpacing="sm" layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col" className={styles.number}>
                  Row
                </Table.Th>
                <Table.Th scope="col">Name</Table.Th>
                <Table.Th scope="col" className={styles.wide}>
                  Destination
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {page.data.items.map((row) => (
                <Row key={row.row} row={row} />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      {(way.length > 1 || next !== null) && (
        <Group gap={8} justify="flex-end" mt={8}>
          <Button
            variant="default"
            size="xs"
            leftSection={<ChevronLeft size={14} aria-hidden />}
            disabled={way.length === 1}
            onClick={() => turn(way.slice(0, -1))}
          >
            Previous
          </Button>
          <Button
            variant="default"
            size="xs"
            rightSection={<ChevronRight size={14} aria-hidden />}
            disabled={next === null}
            onClick={() => turn([...way, next])}
          >
            Next
          </Button>
        </Group>
      )}
    </div>
  )
}

function Row({ row: { row, name, url, vanityUrl, lostPath, tags, problems } }: { row: ImportRow }) {
  const problemOf = (field: ImportField) => problems.find((one) => one.field === field)?.message
  return (
    <Table.Tr>
      <Table.Td className={styles.number}>{row}</Table.Td>
      <Table.Td>
        <Cell text={name} problem={problemOf('name')} isMain />
        {(tags.length > 0 || problemOf('tags')) && (
          <Cell text={tags.join(', ')} problem={problemOf('tags')} />
        )}
      </Table.Td>
      <Table.Td className={styles.wide}>
        <Cell text={url} problem={problemOf('url')} />
        {(vanityUrl !== null || problemOf('vanityUrl')) && (
          <Cell
            text={vanityUrl === null ? '' : `/qr/${vanityUrl}`}
            problem={problemOf('vanityUrl')}
            warning={lostPath}
          />
        )}
      </Table.Td>
    </Table.Tr>
  )
}

type CellProps = {
  text: string
  problem: string | undefined
  warning?: string | null
  isMain?: boolean
}

function Cell({ text, problem, warning, isMain }: CellProps) {
  return (
    <div>
      {text !== '' && (
        <Text
          size="sm"
          fw={isMain ? 600 : undefined}
          c={isMain ? undefined : 'dimmed'}
          lineClamp={2}
          title={text}
          dir="auto"
        >
          {text}
        </Text>
      )}
      {problem && (
        <Text size="sm" c={BAD_TEXT}>
          {problem}
        </Text>
      )}
      {warning && (
        <Text size="sm" c="var(--doubtful)">
          {warning}
        </Text>
      )}
    </div>
  )
}
