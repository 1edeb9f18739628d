// OneSource: watch from Examples/DeviceLab/Recorder, Examples/DeviceLab/Lab, Examples/DeviceLab/Watch
