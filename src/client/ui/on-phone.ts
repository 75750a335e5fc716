import { useMediaQuery } from '@mantine/hooks'

/** As narrow as a phone. Known from the first drawing on, so that nothing is drawn twice. */
export const useOnPhone = () =>
  useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
