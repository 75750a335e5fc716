import {
  Alert,
  Anchor,
  PasswordInput,
  type PasswordInputProps,
  Stack,
  Text,
  TextInput,
  type TextInputProps,
  Title,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { createContext, type ReactNode, use } from 'react'
import { Link, useSearch } from 'wouter'
import type { PublicConfig, SignInAnswer } from '#contract/accounts/accounts.ts'
import type { errorTexts } from '#contract/errors.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { firstFocus } from '../../ui/focus.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { BackLink, usePageTitle } from '../../ui/page/page.tsx'
import { addressOf, type NextStep } from './steps.ts'
import { type Submission, useSubmission } from './submission.ts'

/** Every step's props. */
export type StepProps = {
  config: PublicConfig
  /** The address that was typed at any step, so that no step asks for it again */
  typed: { email: string }
  /** Called after a sign-in or one of its steps, with the address if the step knows it */
  onAnswer: (answer: SignInAnswer, email?: string) => void
}

type HeadProps = { title: string; hasFocus?: boolean; children?: ReactNode }

/** A step's heading and its explanation. The heading takes the focus in a step without a field. */
export function StepHead({ title, hasFocus = false, children }: HeadProps) {
  usePageTitle(title)
  return (
    <Stack gap={6}>
      <Title {...(hasFocus && { tabIndex: -1, ref: firstFocus })}>{title}</Title>
      {children && <Text component="div">{children}</Text>}
    </Stack>
  )
}

type StepFormProps<Body, Answer> = Submission<Body, Answer> & {
  /** Above the fields and any failure */
  head?: ReactNode
  /** The failure of another button of this form */
  failure?: string | null
  button: string
  /** The button's label while the form is sent; without it a spinner covers the button */
  busyText?: string
  children: ReactNode
  /** Below the button */
  after?: ReactNode | ((form: UseFormReturnType<Body>) => ReactNode)
}

export function StepForm<Body extends Record<string, unknown>, Answer>(
  props: StepFormProps<Body, Answer>,
) {
  const { head, button, busyText, children, after } = props
  const { form, onSubmit, busy, failure } = useSubmission(props)
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        {head}
        <FailureAlert message={failure ?? props.failure ?? null} />
        <FormContext value={form}>{children}</FormContext>
        <BusyButton type="submit" busy={busy} busyText={busyText} fullWidth>
          {button}
        </BusyButton>
        {typeof after === 'function' ? after(form) : after}
      </Stack>
    </form>
  )
}

type EmailProps = { autoComplete: string; hasFocus?: boolean }

export function EmailField({ autoComplete, hasFocus = true }: EmailProps) {
  return (
    <Field
      ref={hasFocus ? firstFocus : undefined}
      label="Email"
      type="email"
      name="email"
      autoComplete={autoComplete}
    />
  )
}

type StepLinkProps = { to: NextStep; children: string }

/** Leads to another step and keeps where the user wanted to go. */
export function StepLink({ to, children }: StepLinkProps) {
  return (
    <Anchor
      component={Link}
      href={addressOf(to, useSearch())}
      size="sm"
      display="inline-block"
      data-finger
    >
      {children}
    </Anchor>
  )
}

export function BackToSignIn() {
  return <BackLink href={addressOf('sign-in', useSearch())}>Back to login</BackLink>
}

/** Good news. Screen readers say it when it comes. */
export function StepNotice({ children }: { children: ReactNode }) {
  return (
    <Alert color="var(--good)" variant="outline" role="status">
      {children}
    </Alert>
  )
}

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

export const NewPasswordField = (input: Omit<PasswordInputProps, 'name'>) => (
  <PasswordField
    label="Password"
    autoComplete="new-password"
    placeholder="At least 8 characters"
    {...input}
  />
)

/** Stands where an email would be promised. The server's own words, without the schemas beside them. */
export const NO_MAIL: (typeof errorTexts)[503]['no_mail_server'] =
  'This site can’t send email yet. Please contact support.'

/** The same where the operator has named no contact. */
export const NO_MAIL_NOR_CONTACT =
  'This site can’t send email yet. Please ask the person who runs it.'
