import { type CodeChange, codeChange, pictureFormat } from '#contract/codes/codes.ts'
import { IMAGE_SIZE } from '#contract/pictures/pictures.ts'
import { legibility } from '#contract/pictures/scan-checks.ts'
import { wordsOf, z } from '#contract/zod.ts'
import { codeId } from './code-tools.ts'
import { type Tool, tool } from './tool.ts'

/** Pixels of a picture in an answer, which is kept in the memory of both sides. For print there is SVG. */
const PIXELS_MAX = 1024

const { style, foregroundColor, backgroundColor, ecc, compact } = codeChange.shape
const looked = { style, foregroundColor, backgroundColor, ecc, compact }

/** The input as the query of the API's pictures. */
const queryOf = <Input extends Pick<CodeChange, 'foregroundColor' | 'backgroundColor'>>({
  foregroundColor: fg,
  backgroundColor: bg,
  ...rest
}: Input) => ({ ...rest, fg, bg })

export const pictureTools: Tool[] = [
  tool(
    {
      name: 'draw_code',
      title: 'Draw a QR code',
      call: 'GET /api/qr-codes/:id/generate',
      description:
        'Draws a QR code as PNG, or as SVG, which is best for print. It uses the saved design; any style or colors you send are tried out but not saved.',
      input: {
        id: codeId,
        format: pictureFormat
          .extract(['png', 'svg'])
          .default('png')
          .describe(wordsOf(pictureFormat)),
        size: z
          .int()
          .min(IMAGE_SIZE.min)
          .max(PIXELS_MAX)
          .default(512)
          .describe('Edge of the PNG in pixels'),
        ...looked,
      },
    },
    async ({ id: _, ...given }, { calls, path, publicUrl }) => {
      const picture = await calls.bytes({ path, query: queryOf(given) })
      if (given.format === 'png') {
        const data = picture.toString('base64')
        return { content: [{ type: 'image', data, mimeType: 'image/png' }] }
      }
      const uri = `${publicUrl}${path}?format=svg`
      const resource = { uri, mimeType: 'image/svg+xml', text: picture.toString() }
      return { content: [{ type: 'resource', resource }] }
    },
  ),
  tool(
    {
      name: 'check_legibility',
      title: 'Check that a QR code can be scanned',
      call: 'GET /api/qr-codes/:id/legibility',
      description:
        'Draws a QR code, reads the picture back with several scanners, also small, blurred and damaged, and rates how well phones will scan it: verdict and reason. Check before anything is printed. Any style or colors you send are tried out but not saved.',
      input: { id: codeId, ...looked },
      output: legibility,
    },
    async (given, { ask }) => ask(queryOf(given), legibility),
  ),
]
