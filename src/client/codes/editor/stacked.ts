import { useMediaQuery } from '@mantine/hooks'

/** Whether the form is one column, as in code-form.module.css. Known from the first drawing on. */
export const useStacked = () =>
  useMediaQuery('(max-width: 40em)', false, { getInitialValueInEffect: false })
