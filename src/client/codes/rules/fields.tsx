import { TextInput, type TextInputProps } from '@mantine/core'
import { completed } from '#contract/links.ts'
import type { RulesForm } from './values.ts'

/** Without a bound the field takes years of six digits, which no call takes. */
export const MOMENT = { type: 'datetime-local', max: '9999-12-31T23:59' } as const

type Props = { form: RulesForm; path: string } & Pick<TextInputProps, 'label' | 'description'>

/** A field for an address, which is completed when it is left. */
export function AddressField({ form, path, ...texts }: Props) {
  return (
    <TextInput
      flex={1}
      miw={0}
      type="url"
      placeholder="https://"
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      {...texts}
      {...form.getInputProps(path)}
      onBlur={({ currentTarget: { value } }) => {
        // Another value takes the field's error away.
        if (completed(value) !== value) form.setFieldValue(path, completed(value))
      }}
    />
  )
}
