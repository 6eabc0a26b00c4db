// Runs in each test file: a test that fails before its last line leaves no server and no child process behind.
import { afterAll } from '@jest/globals';
import { closeOpenResources } from './open-resources.js';

afterAll(closeOpenResources);
