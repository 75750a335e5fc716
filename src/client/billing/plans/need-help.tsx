import { Button, Card, Group, Text, Title } from '@mantine/core'
import { toast } from '../../ui/toast.tsx'

export function NeedHelp({ supportEmail }: { supportEmail: string | null | undefined }) {
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby="need-help">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4" id="need-help">
            Need Help?
          </Title>
          <Text c="dimmed" size="sm">
            We answer questions about plans, payments and limits.
          </Text>
        </div>
        {supportEmail ? (
          <Button component="a" variant="default" href={`mailto:${supportEmail}`}>
            Contact Support
          </Button>
        ) : (
          <Button
            variant="default"
            onClick={() => toast.error('This server names no support address.', 'Contact Support')}
          >
            Contact Support
          </Button>
        )}
      </Group>
    </Card>
  )
}
