import { Box, Group, Text } from '@mantine/core'
import type { SeriesRow } from '#contract/series/series-rows.ts'
import type { Look } from '#qr/symbol/look.ts'
import { useDrawn } from '../../drawing/drawn-symbol.ts'
import { counted, formatCount } from '../../formats.ts'
import { useStacked } from '../../ui/columns.tsx'
import { Line, Quiet } from '../../ui/quiet.tsx'
import styles from '../../ui/rows.module.css'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { useOwner } from '../owner.ts'
import thumbnail from '../thumbnail.module.css'

/** Rows that are shown, beside those with a problem. */
const SHOWN = 100

type Props = {
  rows: readonly SeriesRow[]
  /** Errors by row */
  problems: ReadonlyMap<number, string>
  problem: string | null
  look: Look
}

/** Everything that will be made, with what is wrong at its row. */
export function SeriesPreview({ rows, problems, problem, look }: Props) {
  const sample = useDrawn(`${useOwner().hostUrl}/qr/7xk3mfw`, look)
  const wrong = [...problems.keys()].filter((index) => index >= SHOWN).slice(0, SHOWN)
  const shown = [...rows.slice(0, SHOWN).keys(), ...wrong]
  const hidden = rows.length - shown.length
  return (
    <Box component="section" miw={0} aria-label="Preview">
      <Group gap="sm" wrap="nowrap" mih={66} mb="xs">
        {sample && <img src={sample} alt="" width={64} height={64} className={thumbnail.picture} />}
        <div role="status">
          <Text fw={600}>{counted(rows.length, 'QR code')}</Text>
          <Text size="sm" c={problem || problems.size > 0 ? BAD_TEXT : 'dimmed'}>
            {problem ?? summaryOf(problems.size)}
          </Text>
        </div>
      </Group>
      <Box
        component="ol"
        className={styles.rows}
        display={shown.length === 0 ? 'none' : undefined}
        m={0}
        p="0 0 0 44px"
        mah={useStacked() ? 220 : 340}
        bd="1px solid var(--line)"
        bdrs="md"
        style={{ overflowY: 'auto' }}
        tabIndex={0}
        aria-label="QR codes of the series"
      >
        {shown.map((index) => (
          <Text
            component="li"
            key={index}
            value={index + 1}
            size="xs"
            c="dimmed"
            p="6px 8px 6px 4px"
          >
            <Line size="sm" fw={600} c="var(--text)" truncate dir="auto">
              {rows[index]?.name}
            </Line>
            <Line truncate>{rows[index]?.url}</Line>
            {problems.has(index) && <Line c={BAD_TEXT}>{problems.get(index)}</Line>}
          </Text>
        ))}
      </Box>
      {hidden > 0 && <Quiet size="xs">and {formatCount(hidden)} more</Quiet>}
    </Box>
  )
}

const summaryOf = (problems: number) =>
  problems === 0
    ? 'Each one gets its own short link.'
    : `${counted(problems, 'row')} ${problems === 1 ? 'needs' : 'need'} a change`
