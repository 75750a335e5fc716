import { Checkbox, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { CONTROL, NAME_MAX, TURNING } from '#contract/codes/code-values.ts'
import { counted, formatCount } from '../../formats.ts'
import type { useSheetChoice } from './sheet-choice.ts'

type Props = Pick<ReturnType<typeof useSheetChoice>, 'choice' | 'onChange'> & {
  /** As it was pasted */
  pasted: string
  read: LabelTexts
  /** How many codes there are */
  count: number
  onPasted: (text: string) => void
}

/** The text of each label. */
export function CaptionFields({ choice, pasted, read, count, onChange, onPasted }: Props) {
  const { text, hasLink } = choice
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500} id="label-text">
        Label text
      </Text>
      <SegmentedControl
        aria-labelledby="label-text"
        value={text}
        onChange={(value) => onChange({ text: value })}
        data={[
          { value: 'name', label: 'Name' },
          { value: 'texts', label: 'A list' },
          { value: 'none', label: 'No name' },
        ]}
      />
      {text === 'texts' && (
        <Textarea
          label="One line per QR code"
          description="Paste a column from your spreadsheet, in the order of the labels. Or paste two: the name or short link, then the text."
          autosize
          minRows={4}
          maxRows={8}
          value={pasted}
          error={read.problem}
          onChange={({ currentTarget: { value } }) => onPasted(value)}
        />
      )}
      {text === 'texts' && pasted.trim() !== '' && (
        <Text size="xs" c="dimmed" role="status">
          {foundText(count - read.missing, count)}
        </Text>
      )}
      <Checkbox
        label="Short link"
        checked={hasLink}
        onChange={({ currentTarget: { checked } }) => onChange({ hasLink: checked })}
      />
    </Stack>
  )
}

const foundText = (found: number, count: number) =>
  found === count
    ? `Text for ${count === 1 ? 'the QR code' : `all ${counted(count, 'QR code')}`}.`
    : `Text for ${formatCount(found)} of ${counted(count, 'QR code')}. The others keep their name.`

type Named = { id: string; name: string; shortCode: string; vanityUrl: string | null }

type LabelTexts = {
  /** By the id of their code */
  texts: Record<string, string>
  /** Codes that have none and keep their name */
  missing: number
  /** The error of the list; null if there is none */
  problem: string | null
}

/**
 * Texts out of a pasted column: one line for each code, in their order. Two columns, as a spreadsheet
 * copies them, are a name or short link and the text for it, in any order of the lines.
 */
export function labelTexts(pasted: string, codes: readonly Named[]): LabelTexts {
  const lines = pasted.trimEnd().split(/\r?\n/)
  const columns = lines.map((line) => line.split('\t').map((cell) => cell.trim()))
  const hasKeys = columns.some((cells) => cells.length > 1)
  const all = hasKeys ? textsByKey(columns, codes) : codes.map((_, at) => columns[at]?.[0])
  const texts = Object.fromEntries(codes.flatMap(({ id }, at) => (all[at] ? [[id, all[at]]] : [])))
  const missing = codes.filter(({ id }) => !texts[id]).length
  return { texts, missing, problem: problemOf(columns, hasKeys, codes.length) }
}

function textsByKey(columns: readonly string[][], codes: readonly Named[]) {
  const byKey = new Map(columns.map(([key = '', text = '']) => [key.toLowerCase(), text]))
  return codes.map(({ name, shortCode, vanityUrl }) => {
    const keys = [name, vanityUrl, shortCode].flatMap((key) => (key ? [key.toLowerCase()] : []))
    const inLink = [...byKey.keys()].find((key) => keys.includes(key.split('/qr/')[1] ?? ''))
    const key = keys.find((one) => byKey.has(one)) ?? inLink
    return key === undefined ? undefined : byKey.get(key)
  })
}

function problemOf(columns: readonly string[][], hasKeys: boolean, codes: number): string | null {
  for (const [index, cells] of columns.entries()) {
    const text = (hasKeys ? cells[1] : cells[0]) ?? ''
    if (text.length > NAME_MAX) {
      return `Line ${index + 1} is longer than ${NAME_MAX} characters`
    }
    if (CONTROL.test(text) || TURNING.test(text) || !text.isWellFormed()) {
      return `Line ${index + 1} has characters that can’t be used`
    }
  }
  if (hasKeys || columns.length <= codes) return null
  return `There are ${columns.length} lines for ${codes === 1 ? 'one QR code' : `${codes} QR codes`}`
}
