import {
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { createContext, use } from 'react'

type Form = { getInputProps: (name: string) => object }

/** The form around a field. */
export const FormContext = createContext<Form>({ getInputProps: () => ({}) })

/** A field of the form around it, by its name there. */
export function Field({ name, ...input }: TextInputProps & { name: string }) {
  return <TextInput {...input} {...use(FormContext).getInputProps(name)} />
}

export function PasswordField(input: Omit<PasswordInputProps, 'name'>) {
  return <PasswordInput {...input} {...use(FormContext).getInputProps('password')} />
}
