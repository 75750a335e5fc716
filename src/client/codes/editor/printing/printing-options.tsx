import { Switch, Text } from '@mantine/core'
import { DEFAULT_LOOK, type Ecc, eccLevels } from '#qr/symbol/look.ts'
import { type Engine, fetchEngine } from '../../../drawing/drawn-symbol.ts'
import { lengthText } from '../../../formats.ts'
import { useArrived } from '../../../ui/arrived.ts'
import { Line } from '../../../ui/quiet.tsx'
import type { EditorForm } from '../editor.ts'
import { Choices, Section } from '../fields.tsx'
import { fieldNames } from '../values.ts'
import { type FileSizes, SizeFields } from './file-sizes.tsx'

/** Modules along an edge without the quiet zone, for the link as it is and in capitals. */
export type SymbolSize = { plain: number; compact: number }
export type SymbolSizes = Record<Ecc, SymbolSize>

/** The symbol's size at each level of error correction; undefined until it is known. */
export const useSymbolSizes = (link: string): SymbolSizes | undefined =>
  useArrived(async () => {
    const engine = await fetchEngine()
    return engine && sizesOf(link, engine)
  }, link)

/** Encodes the link at every level, which takes under a millisecond. */
export function sizesOf(link: string, { encode }: Pick<Engine, 'encode'>): SymbolSizes {
  const sizeOf = (ecc: Ecc, compact: boolean) => encode(link, { ecc, compact }).size
  const sizes = eccLevels.map((ecc) => [
    ecc,
    { plain: sizeOf(ecc, false), compact: sizeOf(ecc, true) },
  ])
  return Object.fromEntries(sizes) as SymbolSizes
}

/** Says how much smaller capitals make this code. */
export function compactText(size: SymbolSize | undefined): string {
  if (size && size.compact >= size.plain) return 'Makes no difference for this link.'
  const numbers = size ? `: ${size.compact} instead of ${size.plain} modules wide` : ''
  return `Prints the link in capital letters, which makes the code smaller${numbers}. It leads to the same page.`
}

type Props = {
  form: EditorForm
  link: string
  /** The sizes of the files, if there are files */
  sizes: FileSizes | undefined
}

/** Options that print shops ask for and few people change. */
export function PrintingOptions({ form, link, sizes }: Props) {
  const { ecc, compact } = form.values
  const chosen = [
    ...(sizes?.query ? [lengthText(sizes.print)] : []),
    ...(ecc === DEFAULT_LOOK.ecc ? [] : [levelNames[ecc]]),
    ...(compact ? ['Compact'] : []),
  ]
  return (
    <Section title="Printing options" chosen={chosen} hasError={sizes && !sizes.query}>
      {sizes && <SizeFields {...sizes} />}
      <Options form={form} link={link} />
    </Section>
  )
}

function Options({ form, link }: Omit<Props, 'sizes'>) {
  const sizes = useSymbolSizes(link)
  const { ecc, compact } = form.values
  const sizeOf = (level: Ecc) => sizes?.[level][compact ? 'compact' : 'plain']
  return (
    <>
      <Choices
        label={fieldNames.ecc}
        description={HINT}
        items={eccLevels}
        chosen={ecc}
        onChange={(level) => form.setFieldValue('ecc', level)}
        grid={{ cols: 2, spacing: 'xs', mt: 8 }}
      >
        {(level) => (
          <span>
            <Text component="span" display="block" size="sm">
              {levelNames[level]}
            </Text>
            <Line>{sizeOf(level) ? `${sizeOf(level)} modules wide` : '\u00a0'}</Line>
          </span>
        )}
      </Choices>
      <Switch
        label={fieldNames.compact}
        description={compactText(sizes?.[ecc])}
        {...form.getInputProps('compact', { type: 'checkbox' })}
      />
    </>
  )
}

export const levelNames: Record<Ecc, string> = {
  L: 'Low (7%)',
  M: 'Medium (15%)',
  Q: 'Quartile (25%)',
  H: 'High (30%)',
}

const HINT =
  'Higher levels survive more damage but make the squares smaller. In one spot, about 3, 5, 10, or 15% of the picture can be dirty or covered.'
