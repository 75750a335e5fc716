import { Button, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { safeReturnTo } from '#contract/return-to.ts'
import { readConfig } from '../accounts/queries.ts'
import { SignInForm } from '../accounts/sign-in-form.tsx'
import { SignUpForm } from '../accounts/sign-up-form.tsx'
import { CardPage } from '../ui/page.tsx'

type Mode = 'sign-in' | 'sign-up'

const texts = {
  'sign-in': { title: 'Sign in', question: 'No account yet?', other: 'Create an account' },
  'sign-up': { title: 'Create an account', question: 'Have an account?', other: 'Sign in' },
}

function leave(): void {
  const requested = new URLSearchParams(window.location.search).get('returnTo')
  window.location.assign(safeReturnTo(requested))
}

export function SignInPage() {
  const [mode, setMode] = useState<Mode>('sign-in')
  const open = useSignUpOpen()
  const { title, question, other } = texts[mode]
  const Form = mode === 'sign-in' ? SignInForm : SignUpForm
  return (
    <CardPage
      after={
        open && (
          <Text ta="center" size="sm">
            {question}{' '}
            <Button
              variant="subtle"
              size="compact-sm"
              c="var(--accent-text)"
              onClick={() => setMode(mode === 'sign-in' ? 'sign-up' : 'sign-in')}
            >
              {other}
            </Button>
          </Text>
        )
      }
    >
      <Title order={1} size="h2" mb="lg">
        {title}
      </Title>
      <Form key={mode} onDone={leave} />
    </CardPage>
  )
}

/** Offered unless the server says that new accounts are closed; the server decides in any case. */
function useSignUpOpen(): boolean {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    readConfig()
      .then((config) => setOpen(config.signUp === 'open'))
      .catch(() => setOpen(true))
  }, [])
  return open
}
