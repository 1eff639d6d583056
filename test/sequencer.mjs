import TestSequencer from '@jest/test-sequencer';

const CONTRACT = /[\\/]test[\\/]contract[\\/]/;

/**
 * Jest's order, the contract before all else: until it has seen how long a file takes, Jest takes small files to be
 * quick, and those few lines that run hundreds of cases would come last and be waited for.
 */
export default class ContractFirst extends TestSequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isContract = ({ path }) => CONTRACT.test(path);
    return [...sorted.filter(isContract), ...sorted.filter((test) => !isContract(test))];
  }
}
