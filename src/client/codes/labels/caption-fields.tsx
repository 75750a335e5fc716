import { Checkbox, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { counted } from '../../formats.ts'
import type { LabelTexts } from './label-texts.ts'
import type { SheetChoice } from './sheet-choice.ts'

type Props = {
  choice: SheetChoice
  /** As it was pasted */
  pasted: string
  read: LabelTexts
  /** How many codes there are */
  count: number
  onChange: (part: Partial<SheetChoice>) => void
  onPasted: (text: string) => void
}

/** The text of each label. */
export function CaptionFields({ choice, pasted, read, count, onChange, onPasted }: Props) {
  const { text, hasLink } = choice
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500} id="label-words">
        Words on the labels
      </Text>
      <SegmentedControl
        aria-labelledby="label-words"
        value={text}
        onChange={(value) => onChange({ text: value as SheetChoice['text'] })}
        data={[
          { value: 'name', label: 'Name' },
          { value: 'texts', label: 'A list' },
          { value: 'none', label: 'No name' },
        ]}
      />
      {text === 'texts' && (
        <Textarea
          label="One line for each QR code"
          description="In the order of the labels, such as a column of your spreadsheet. Two columns are a name or short link, and its words."
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
    ? `Words for ${count === 1 ? 'the QR code' : `all ${counted(count, 'QR code')}`}.`
    : `Words for ${found} of ${counted(count, 'QR code')}. The others keep their name.`
