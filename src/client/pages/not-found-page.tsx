import { Anchor, Center, Stack, Text, Title } from '@mantine/core'
import { Logo } from '../ui/logo.tsx'
import { usePageTitle } from '../ui/page-title.ts'

export function NotFoundPage() {
  usePageTitle('404 Page Not Found')
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack align="center" gap="sm" ta="center">
        <Logo size={32} />
        <Title order={1}>404 Page Not Found</Title>
        <Text c="dimmed">Did you forget to add the page to the router?</Text>
        <Anchor href="/">Back to the start page</Anchor>
      </Stack>
    </Center>
  )
}
