import { Anchor, Stack, Text, Title } from '@mantine/core'
import { CardPage, usePageTitle } from '../ui/page.tsx'

export function NotFoundPage() {
  usePageTitle('404 Page Not Found')
  return (
    <CardPage>
      <Stack gap="sm" align="flex-start">
        <Title order={1} size="h2">
          404 Page Not Found
        </Title>
        <Text c="dimmed">Did you forget to add the page to the router?</Text>
        <Anchor href="/">Back to the start page</Anchor>
      </Stack>
    </CardPage>
  )
}
