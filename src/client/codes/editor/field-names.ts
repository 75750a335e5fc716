import type { Field } from './values.ts'

/** The fields by the names that stand at them, in the order of the form. */
export const fieldNames: Record<Field, string> = {
  name: 'QR Code Name',
  url: 'Destination URL',
  vanityUrl: 'Custom URL (Optional)',
  tags: 'Tags',
  style: 'Style',
  foregroundColor: 'Foreground colour',
  backgroundColor: 'Background colour',
  ecc: 'Error correction',
  compact: 'Compact code',
  artwork: 'Shapes, logo and frame',
}
