import { newLook } from '#contract/codes.ts'
import { keptStyle, newStyle } from '#contract/pictures/styles.ts'
import { z } from '#contract/zod.ts'
import { pathsIn } from './paths.ts'
import { dataTool, deletingTool, type Tool } from './tool.ts'

const PATH = '/api/looks'

/** A look whose misspelled fields are refused. */
export const look = z.strictObject(newLook.shape)

export const designTools: Tool[] = [
  dataTool(
    {
      name: 'list_designs',
      title: 'List designs',
      effect: 'reads',
      description:
        'Lists the designs that the account has saved. New QR codes start with the default one.',
      input: z.strictObject({}),
      output: z.strictObject({ designs: z.array(keptStyle) }),
    },
    async (_input, { calls }) => ({
      designs: await calls.json(z.array(keptStyle), { path: PATH }),
    }),
  ),
  dataTool(
    {
      name: 'save_design',
      title: 'Save a design',
      effect: 'adds',
      words: 'NewStyle',
      description:
        'Saves a design under a name, for use on other QR codes. For the design of a code, send what read_code has.',
      input: z.strictObject({ name: newStyle.shape.name, look }),
      output: keptStyle,
    },
    async (body, { calls }) => calls.json(keptStyle, { method: 'POST', path: PATH, body }),
  ),
  deletingTool({
    name: 'delete_design',
    title: 'Delete a design',
    description: 'Deletes a saved design for good. QR codes that have it stay as they are.',
    id: z.string().describe('The id of the design, as list_designs has it'),
    pathOf: pathsIn(PATH, 'not_found'),
    done: 'Deleted. The codes stay as they are.',
  }),
]
