import { Checkbox, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { counted, formatCount } from '../../formats.ts'
import type { LabelTexts } from './label-texts.ts'
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
