import { Radio, type RadioGroupProps, type RadioProps, Stack } from '@mantine/core'

type Props<Value extends string> = Pick<RadioGroupProps, 'label' | 'error'> & {
  options: readonly (RadioProps & { value: Value })[]
  value?: Value
  onChange?: (value: Value) => void
}

/** A choice of one, a line for each option. */
export function Choices<Value extends string>({ options, onChange, ...group }: Props<Value>) {
  return (
    <Radio.Group {...group} onChange={(value) => onChange?.(value as Value)}>
      <Stack gap="xs" mt={4}>
        {options.map((option) => (
          <Radio key={option.value} {...option} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
