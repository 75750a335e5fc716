import { Button, Stack, Text, Title } from '@mantine/core'
import { QrCode } from 'lucide-react'

/** An account without codes. */
export function NoCodes({ onCreate }: { onCreate: () => void }) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <QrCode size={44} strokeWidth={1.4} aria-hidden />
      <Title order={3} size="h4">
        No QR codes yet
      </Title>
      <Text c="dimmed">Get started by creating your first QR code</Text>
      <Button mt="sm" onClick={onCreate}>
        Create Your First QR Code
      </Button>
    </Stack>
  )
}
