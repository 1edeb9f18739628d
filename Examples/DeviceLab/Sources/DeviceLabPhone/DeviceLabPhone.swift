// OneSource: phone from Examples/DeviceLab/Recorder, Examples/DeviceLab/Lab, Examples/DeviceLab/Phone
